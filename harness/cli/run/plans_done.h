// What the second half of `workbook optimize` came to: the plans, and the runs of those that were built.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/run/emitted_run.h"
#include "optimizer/schedule/schedule.h"

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

}  // namespace workbook::cli
