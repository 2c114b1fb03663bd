// A search and its plans as the record that the viewer's Fusion panel draws (runs/fusion.h).
#pragma once

#include "optimizer/schedule/schedule.h"
#include "optimizer/store/report.h"
#include "runs/fusion.h"

namespace workbook::opt {

inline constexpr std::size_t kRecordedPlans = kShownPlans, kRecordedGraphs = 16, kRecordedStates = 4000;

/// The program, the graphs found (those that may be used, best first) and how the search went. No plans yet.
runs::FusionRecord fusion_record(const Program& program, const Search& search,
                                 const std::vector<Graph>& usable);

/// Adds the cheapest plans of a schedule in their order, then the unfused one where it is not among them.
void add_plans(runs::FusionRecord& record, const Program& program, const Schedule& schedule,
               const sim::GpuSpec& gpu, ScheduleStore* store = nullptr);

}  // namespace workbook::opt
