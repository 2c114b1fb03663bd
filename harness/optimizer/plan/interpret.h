// A plan carried out in doubles, launch by launch, block by block and tile by tile, as a GPU would: what the
// schedule is tested with against the graph, and what says whether a plan means what its graph does.
#pragma once

#include "optimizer/plan/plan.h"

namespace workbook::opt {

/// The output of a plan without a fault, with bounds (Rounding). inputs[i].bounds may be empty: exact.
NumberTensor interpret(const Program& program, const Plan& plan, const Extents& extents,
                       const std::vector<NumberTensor>& inputs, Rounding rounding);

}  // namespace workbook::opt
