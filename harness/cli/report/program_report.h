// What `workbook sim` says about a program that has run: text for people, JSON for --report and --json.
#pragma once

#include <string>

#include "cli/compile/program_stage.h"
#include "cli/compile/sim_options.h"
#include "cli/run/process.h"
#include "runs/json.h"
#include "runs/record.h"

namespace workbook::cli {

/// A program's run: what it left behind, and how it ended.
struct ProgramRun {
  runs::ProgramReport report;
  bool reported = false;  ///< false: it ended before it could leave anything
  ProcessResult process;
  std::string trouble;  ///< why it did not come to an end of its own, a sentence; empty when it did

  int exit_status() const;
};

/// Reads the report that the program wrote, with paths as the user would type them.
ProgramRun read_program_run(const std::filesystem::path& report, const ProcessResult& process,
                            const StagedProgram& staged, const SimOptions& options);

/// Findings, how it ended, the table of kernels if asked for, and the summary line.
std::string program_report_text(const ProgramRun& run, const SimOptions& options);

/// The schema of --report.
runs::Json program_report_json(const ProgramRun& run);

}  // namespace workbook::cli
