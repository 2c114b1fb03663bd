// What learners handed in: found, named, read. Folders, zip and tar files, whole checkouts or a kernels.cu
// alone.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/project/project.h"

namespace workbook::cli {

/// Where one lies, and whose it is by its name.
struct SubmissionPlace {
  std::string learner;
  std::filesystem::path path;
};

struct Submission {
  std::string learner;
  std::map<std::string, std::string> sources;  ///< by path within it
  std::string trouble;                         ///< why it cannot be read, a sentence's end; empty: it can
};

/// In each path of a folder of submissions every entry, else the path itself; by learner. Throws UsageError
/// where there is nothing, or where two are of one name.
std::vector<SubmissionPlace> find_submissions(const std::vector<std::string>& paths);

/// What a path is when it is somebody's submission.
SubmissionPlace place_of(const std::filesystem::path& path);

/// Never throws for what lies there.
Submission read_submission(const SubmissionPlace& place);

/// The learner's file of a puzzle (kernels.cu, a program's, answers.txt), or null: in a folder called as the
/// puzzle is ("22_layernorm_linear", "puzzle22", "p22", "22"), or itself called so ("puzzle22.cu"), or the
/// only one where the course has one puzzle. Of several the one nearest to the top.
const std::pair<const std::string, std::string>* file_of(const Submission& submission, const Puzzle& puzzle,
                                                         const std::string& file, bool only_puzzle);

/// Whether a folder or file of this name is of the puzzle.
bool names_puzzle(std::string_view name, const Puzzle& puzzle);

}  // namespace workbook::cli
