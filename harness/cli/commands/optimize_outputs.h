// `optimize` of a program with several outputs: one kernel that gives all, or one each.
#pragma once

#include <vector>

#include "cli/commands/optimize_run.h"

namespace workbook::cli {

/// `programs`: one an output. The exit status.
int optimize_outputs(const Project& project, const std::vector<opt::Program>& programs,
                     const OptimizeOptions& options, const opt::SearchOptions& search);

}  // namespace workbook::cli
