// What came of a program that was built as `workbook sim` builds one: its own, those of `workbook optimize`,
// and puzzles that are programs.
#pragma once

#include <filesystem>
#include <string>

#include "cli/base/process.h"
#include "cli/compile/program_stage.h"
#include "cli/compile/sim_options.h"
#include "runs/record.h"

namespace workbook::cli {

/// A program's run: what it left behind, and how it ended.
struct ProgramRun {
  runs::ProgramReport report;
  bool reported = false;  ///< false: it ended before it could leave anything
  ProcessResult process;
  std::string trouble;  ///< why it did not come to an end of its own, a sentence; empty when it did

  std::int64_t count(runs::Severity severity) const;  ///< findings of it
  int exit_status() const;
};

/// Reads the report that the program wrote, with paths as the user would type them.
ProgramRun read_program_run(const std::filesystem::path& report, const ProcessResult& process,
                            const StagedProgram& staged, const SimOptions& options);

}  // namespace workbook::cli
