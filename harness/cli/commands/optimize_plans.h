// The second half of `workbook optimize`: launches, prices, emitted files, and their runs.
#pragma once

#include "cli/commands/commands.h"
#include "cli/run/emitted_run.h"
#include "optimizer/report.h"
#include "optimizer/store.h"
#include "runs/fusion.h"

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

/// `graphs`: those that may be used, best first. `device`: where built plans are timed, if it is usable.
/// `store`: what is known from before, or null.
PlansDone make_plans(const Project& project, const opt::Program& program,
                     const std::vector<opt::Graph>& graphs, const OptimizeOptions& options,
                     const Device& device, opt::SearchStore* store);

/// What of it the viewer's Fusion panel draws, added to the record of the search.
void record_plans(runs::FusionRecord& record, const opt::Program& program, const PlansDone& done,
                  const OptimizeOptions& options, opt::SearchStore* store);

runs::Json plans_json(const PlansDone& done);

}  // namespace workbook::cli
