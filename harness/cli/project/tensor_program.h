// The programs of `workbook optimize`, where their plans lie, and the one that computes what a puzzle does
// (workbook::Puzzle::tensor_program).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "cli/project/project.h"
#include "runs/fusion.h"

namespace workbook::cli {

std::filesystem::path programs_folder(const Project& project);

/// The newest result for a program: the viewer and `compare` look for it here.
std::filesystem::path fusion_file(const Project& project, const std::string& program);

/// "workbook optimize qknorm_attention --size n=2": what finds plans at these sizes of the puzzle's.
std::string optimize_words(const Project& project, const std::string& program, const runs::Sizes& sizes);

/// By name in small letters, as a program has them.
std::map<std::string, std::int64_t> by_name(const runs::Sizes& sizes);

/// Whether both name the same sizes, in letters of either case and in any order.
bool same_sizes(const runs::Sizes& a, const runs::Sizes& b);

}  // namespace workbook::cli
