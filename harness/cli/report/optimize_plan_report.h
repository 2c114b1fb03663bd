// What `workbook optimize` prints of launches, prices and written kernels.
#pragma once

#include "cli/run/plans_done.h"

namespace workbook::cli {

std::string plan_lines(const opt::Program& program, const PlansDone& done);

}  // namespace workbook::cli
