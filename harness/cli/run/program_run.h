// A variant that is a program of its own: built and run as `workbook sim` does, and judged by what it prints,
// finds and answers.
#pragma once

#include "cli/run/execute.h"

namespace workbook::cli {

/// Fills what execute() has begun.
void run_program(const Project& project, const RunRequest& request, RunOutcome& outcome);

}  // namespace workbook::cli
