// One phase of a child program: how it is started, and what came of it.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/base/process.h"
#include "cli/run/execute.h"
#include "runs/record.h"
#include "runs/trace.h"

namespace workbook::cli {

struct Phase {
  bool ran = false;
  runs::Verdict ended = runs::Verdict::none;  ///< none: it wrote its report
  std::string detail;                         ///< one sentence for `ended`
  std::optional<runs::SourceLine> at;         ///< where, if known
  runs::RunRecord report;  ///< where it ended early: what it had found by then, if it could say
  std::optional<runs::Trace> trace;
  std::string output;  ///< what the learner's code printed
  std::string probes;  ///< probes.json of the first wrong case (harness/core/fingerprint.h)
};

/// Runs `child --phase NAME` in a fresh folder below `scratch`. Never throws for what the child does.
Phase run_phase(const Project& project, const RunRequest& request, const std::filesystem::path& child,
                runs::PhaseKind kind, const std::filesystem::path& scratch, const std::atomic<bool>* cancel);

/// What came of a child that was given `folder` for its report. `memory`: the limit that it had, where that
/// was one of a confined child's; its `limit` is of processor time then.
Phase phase_of(const ProcessResult& result, const std::filesystem::path& folder,
               std::chrono::milliseconds limit, std::size_t memory = 0);

/// A stranger's program names places in sources, of which reports show a line each: only those of files that
/// every learner has.
void keep_to_sources(runs::SourceLine& at);

/// Most of the machine's memory: a runaway allocation then ends the child, not the desktop. 0: unknown.
std::size_t most_memory();

/// "it divided an integer by zero (SIGFPE)".
std::string signal_words(int number);

}  // namespace workbook::cli
