// Programs of one text with an output each, as one program with all of these: what one launch may give.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "optimizer/graph/graph.h"

namespace workbook::opt {

/// `programs`: of the same declarations, in the order of their outputs. Nothing where they have products,
/// lemmas or subterms that are given; where no output has the indices of all; where two are the same; where
/// all are too large for one.
std::optional<Program> joined(const std::vector<Program>& programs, const std::string& name);

}  // namespace workbook::opt
