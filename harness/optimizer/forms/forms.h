// The table of forms: a launch is written down, counted and cut as one of them.
#pragma once

#include "optimizer/launch/form.h"

namespace workbook::opt {

/// In the order in which they are tried.
const std::vector<const Form*>& forms();
const Form& form_of(Path path);

/// Nodes that a plan rounds to as many bits as tensor cores take although its graph does not: a bit each.
std::uint64_t halved_nodes(const Program& program, const Plan& plan);

}  // namespace workbook::opt
