// A program that a stranger wrote, run confined: all that it can write are two files, which are there before.
#pragma once

#include "cli/compile/program_build.h"
#include "cli/run/execute.h"
#include "cli/run/program_outcome.h"

namespace workbook::cli {

inline constexpr const char* kPuzzleVariable = "WORKBOOK_PUZZLE";  ///< where a program finds its data

/// Fills `end` with what it handed back. Throws HarnessError where it could not be started.
ProgramRun run_strangers(const Confinement& by, const Project& project, const ProgramBuild& build,
                         const RunRequest& request, const SimOptions& options, ProgramEnd& end);

}  // namespace workbook::cli
