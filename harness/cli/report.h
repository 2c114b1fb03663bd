// What `run` and `solution` print about a run, part by part and in the order of CURRICULUM.md.
#pragma once

#include <optional>
#include <string>

#include "cli/execute.h"

namespace workbook::cli {

/// The whole report. `rival` is another variant's run to compare with, when one is on record.
std::string run_report(const Project& project, const Puzzle& puzzle, const RunOutcome& outcome,
                       const std::optional<runs::RunRecord>& rival);

// Its parts.
std::string correctness_report(const runs::RunRecord& record);
std::string wrong_report(const Project& project, const runs::RunRecord& record);
std::string findings_report(const Project& project, const runs::RunRecord& record);
std::string benchmark_report(const runs::RunRecord& record);
std::string duel_report(const runs::RunRecord& record, const runs::RunRecord& rival);

/// The source line with a marker below it, as compilers show it; nothing when it cannot be read.
std::string source_excerpt(const Project& project, const runs::RunRecord& record, const runs::SourceLine& at,
                           int column = 0);

}  // namespace workbook::cli
