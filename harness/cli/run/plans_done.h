// What the second half of `workbook optimize` came to: the plans, and the runs of those that were built.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/run/emitted_run.h"
#include "optimizer/schedule.h"

namespace workbook::cli {

struct PlansDone {
  opt::Schedule schedule;
  std::vector<EmittedRun>
      runs;  ///< of schedule.plans, one after the other, until one is right; --plans: more
  std::optional<EmittedRun> unfused_run;
  /// Of schedule.plans: the first that is right, or the first, if none was to run; --measured: of those that
  /// are right the fastest.
  std::optional<std::size_t> chosen;
  bool by_measure = false;               ///< --measured
  bool stopped = false;                  ///< before any was right
  std::vector<std::string> wrote, kept;  ///< files; those of the learner's that were left alone
};

/// What stands after another round: its plans, or those before where it chose none; and whether all is
/// priced.
inline void take_round(std::optional<PlansDone>& best, PlansDone round) {
  if (round.chosen || !best || !best->chosen)
    best = std::move(round);
  else
    best->schedule.stopped = round.schedule.stopped;  // else rounds would go on for ever
}

}  // namespace workbook::cli
