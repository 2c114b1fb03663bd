// What `run` and `solution` print about a run, part by part and in the order of CURRICULUM.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/execute.h"

namespace workbook::cli {

struct ReportOptions {
  bool all = false;       ///< every finding, not three
  bool counters = false;  ///< each launch's, with NVIDIA's names
  bool explain = false;   ///< words such as "roof" and "dispatch", below where they stand
};

/// The whole report, in the order of PUZZLES.md; nothing but where to write for a region that holds no code.
/// `rival` is another variant's run to compare with, when one is on record.
std::string run_report(const Project& project, const Puzzle& puzzle, const RunOutcome& outcome,
                       const std::optional<runs::RunRecord>& rival, const ReportOptions& options);

/// What `--json` prints, as a line, for a command that ends early.
std::string failure_json(const std::string& sentence, int status);

// Its parts.
/// The element that is furthest off for what is accepted there.
struct Worst {
  double difference, accepted;
};
Worst worst_of(const runs::Check& check);
std::string correctness_report(const runs::RunRecord& record);
/// "Diagnosis: " and the sentence, a line; not wrapped.
std::string diagnosis_line(const std::string& diagnosis);
std::string wrong_report(const Project& project, const runs::RunRecord& record);
/// At most three causes and the rest counted; `rest` is the command that shows them all, empty: all are
/// shown.
std::string findings_report(const Project& project, const runs::RunRecord& record, const std::string& rest);
std::string benchmark_report(const runs::RunRecord& record);
std::string counters_report(const runs::RunRecord& record);
/// What bounds the blocks of each launch at the last shape, and what the next one lacks: a part of the
/// counters.
std::string occupancy_report(const runs::RunRecord& record);
std::string duel_report(const runs::RunRecord& record, const runs::RunRecord& rival);

/// The text of a source file that findings name; empty when it cannot be read.
using SourceText = std::function<std::string(const std::string& file)>;

/// The judged kernels as they were run; given files as they are. Keeps references to both.
SourceText sources_of(const Project& project, const runs::RunRecord& record);

/// Findings by cause as compilers print them, the worst first and `most` of them; `rest` is what shows the
/// others. A shape that a finding names is written with its sizes where `cases` has it.
std::string findings_text(const std::vector<runs::Finding>& findings, const SourceText& source,
                          std::size_t most, const std::string& rest,
                          const std::vector<runs::CaseResult>& cases = {});

/// The source line with a marker below it, as compilers show it; nothing when it cannot be read.
std::string source_excerpt(const SourceText& source, const runs::SourceLine& at, int column = 0);

}  // namespace workbook::cli
