// What `workbook optimize` prints of launches, prices and written kernels.
#pragma once

#include "cli/run/plans_done.h"

namespace workbook::cli {

/// "1 launch, 67.63 MB, modelled 173.5 us on an H200, right on seven cases: optimized/...": of plans of which
/// one was chosen.
std::string best_so_far_text(const PlansDone& done);

std::string plan_lines(const opt::Program& program, const PlansDone& done);

}  // namespace workbook::cli
