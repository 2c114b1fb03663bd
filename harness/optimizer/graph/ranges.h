// How large values can get, from what a program says of its inputs: what is rounded to half for tensor cores
// has to be a number there.
#pragma once

#include "optimizer/graph/graph.h"

namespace workbook::opt {

inline constexpr double kMostHalf = 65504.0;

/// The least and the largest value that is possible; infinite where nothing says so.
struct Range {
  double low = 0.0, high = 0.0;
  double magnitude() const;
};

/// Of each node, at the real extents. Minus infinity, which masks hold, is not counted. Sums of inputs of
/// which the program gives no range, and what is made of such by + and -, or by * with what is no sum, are
/// taken to be numbers of half.
std::vector<Range> ranges_of(const Graph& graph);

/// Whether every value of the node is a number of half.
bool fits_half(const Graph& graph, int node);

/// Whether elements of the input may be minus infinity: the program says so, or it adds the input to what exp
/// alone takes, as a mask is added.
bool may_hold_minus_infinity(const Graph& graph, int input);

}  // namespace workbook::opt
