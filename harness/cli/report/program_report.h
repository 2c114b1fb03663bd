// What `workbook sim` says about a program that has run: text for people, JSON for --report and --json.
#pragma once

#include <string>

#include "cli/run/program_outcome.h"
#include "runs/json.h"

namespace workbook::cli {

/// Findings, how it ended, the table of kernels if asked for, and the summary line.
std::string program_report_text(const ProgramRun& run, const SimOptions& options);

/// The schema of --report.
runs::Json program_report_json(const ProgramRun& run);

}  // namespace workbook::cli
