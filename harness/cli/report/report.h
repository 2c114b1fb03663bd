// What `run` and `solution` print about a run, part by part and in the order of CURRICULUM.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/execute.h"

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

/// The text of a source file that findings name; empty when it cannot be read.
using SourceText = std::function<std::string(const std::string& file)>;

/// The judged kernels as they were run; given files as they are. Keeps references to both.
SourceText sources_of(const Project& project, const runs::RunRecord& record);

/// Findings as compilers print them, the worst first and `most` of them; `rest` says where the others are.
std::string findings_text(const std::vector<runs::Finding>& findings, const SourceText& source,
                          std::size_t most, const std::string& rest);

/// The source line with a marker below it, as compilers show it; nothing when it cannot be read.
std::string source_excerpt(const SourceText& source, const runs::SourceLine& at, int column = 0);

}  // namespace workbook::cli
