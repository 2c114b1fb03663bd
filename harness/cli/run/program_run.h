// A variant that is a program of its own: built and run as `workbook sim` does, and judged by what it prints,
// finds and answers.
#pragma once

#include "cli/run/execute.h"

namespace workbook::cli {

RunOutcome execute_program(const Project& project, const RunRequest& request);

}  // namespace workbook::cli
