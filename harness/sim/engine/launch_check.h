// Whether a GPU would accept a launch; asked before any block of it runs.
#pragma once

#include <string>

#include "kernel_info.h"
#include "workbook_sim/launch.h"

namespace workbook::sim {

struct LaunchProblem {
  cudaError_t error = cudaSuccess;
  std::string text;  ///< with the numbers that broke the limit: "3072 threads a block, but ..."
};

/// Limits of every compute capability of the table, and those of the chosen GPU for cooperative launches and
/// clusters: a cooperative grid must be resident as a whole.
LaunchProblem check_launch(const LaunchConfig& config, const KernelInfo& kernel);

/// How many blocks of the launch the GPU holds at the same time.
std::uint64_t resident_blocks(const LaunchConfig& config, const KernelInfo& kernel);

}  // namespace workbook::sim
