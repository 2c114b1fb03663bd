// The second half of `workbook optimize`: launches, prices, emitted files, and their runs.
#pragma once

#include "cli/commands/commands.h"
#include "cli/run/emitted_run.h"
#include "opt/report.h"

namespace workbook::cli {

struct PlansDone {
  opt::Schedule schedule;
  std::optional<opt::Scheduled> unfused;
  std::vector<EmittedRun>
      runs;  ///< of schedule.plans, one after the other, until one is right; --plans: more
  std::optional<std::size_t>
      chosen;            ///< of schedule.plans: the first that is right, or the first, if none was to run
  bool stopped = false;  ///< before any was right
  std::vector<std::string> wrote, kept;  ///< files; those of the learner's that were left alone
};

/// `graphs`: those that may be used, best first.
PlansDone make_plans(const Project& project, const opt::Program& program,
                     const std::vector<opt::Graph>& graphs, const OptimizeOptions& options);

runs::Json plans_json(const PlansDone& done);

}  // namespace workbook::cli
