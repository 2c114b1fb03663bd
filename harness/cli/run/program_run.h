// A variant that is a program of its own: built and run as `workbook sim` does, and judged by what it prints,
// finds and answers.
#pragma once

#include "cli/run/execute.h"

namespace workbook::cli {

/// Before the first of them: the process becomes workbook_more, where this one has no programs (Elsewhere).
void want_programs();

/// Fills what execute() has begun.
void run_program(const Project& project, const RunRequest& request, RunOutcome& outcome);

}  // namespace workbook::cli
