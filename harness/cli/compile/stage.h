// Copies of a puzzle's files, side by side in a build folder, each saying where it comes from by #line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/compile/compiler_output.h"
#include "cli/compile/toolchain.h"

namespace workbook::cli {

struct Staged {
  std::filesystem::path main;              ///< launches.cu
  std::string texts;                       ///< everything that was staged, to recognise a change
  std::vector<runs::CompileError> errors;  ///< what nvcc refuses and g++ would not, or cannot be rewritten
  std::vector<WrittenSource> sources;      ///< each file before and after
};

/// Writes launches.cu, the *.cuh and *.h beside it and the chosen kernels.cu into `folder`.
Staged stage(const Project& project, const Puzzle& puzzle, const Source& source, Kind kind,
             const std::filesystem::path& folder);

/// The solution's kernels.cu: what it declares is what the learner's file begins with. Empty where there is
/// none.
std::string solved_kernels(const Puzzle& puzzle);

/// Writes beside them a source of nothing but these kernels of kernels.cu, and gives its place.
std::filesystem::path stage_kernels(const Puzzle& puzzle, const Source& source,
                                    const std::vector<std::string>& kernels,
                                    const std::filesystem::path& folder);

}  // namespace workbook::cli
