// The second half of `workbook optimize`: launches, prices, emitted files, and their runs.
#pragma once

#include "cli/commands/commands.h"
#include "cli/run/plans_done.h"
#include "optimizer/plan/launch_memo.h"
#include "optimizer/store/report.h"
#include "optimizer/store/store.h"
#include "runs/fusion.h"

namespace workbook::cli {

struct PlanWork {
  opt::SearchStore* store = nullptr;  ///< what is known from before, or null
  std::function<bool()> stop;         ///< asked while launches are priced: then what there is
  opt::LaunchMemo* memo = nullptr;    ///< what earlier calls for this program priced
};

/// `graphs`: those that may be used, best first. `device`: where built plans are timed, if it is usable.
PlansDone make_plans(const Project& project, const opt::Program& program,
                     const std::vector<opt::Graph>& graphs, const OptimizeOptions& options,
                     const Device& device, const PlanWork& work);

/// What of it the viewer's Fusion panel draws, added to the record of the search.
void record_plans(runs::FusionRecord& record, const opt::Program& program, const PlansDone& done,
                  const OptimizeOptions& options, opt::SearchStore* store);

runs::Json plans_json(const PlansDone& done);

}  // namespace workbook::cli
