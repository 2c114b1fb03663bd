// What `workbook optimize` prints of launches, prices and written kernels.
#pragma once

#include "cli/commands/optimize_plans.h"

namespace workbook::cli {

std::string plan_lines(const opt::Program& program, const PlansDone& done);

}  // namespace workbook::cli
