// The one order in which the search visits the nodes of a graph: a node may follow another only if its key is
// greater. Every graph has exactly one such order. Of those that are ready, a node with a smaller key can not
// come later, for its key would not change; and a node that becomes ready by another has that one as its
// larger operand, so its key is greater.
#pragma once

#include <algorithm>
#include <cstdint>

#include "optimizer/graph/graph.h"

namespace workbook::opt {

constexpr bool commutes(Op op) { return op == Op::add || op == Op::mul || op == Op::matmul || op == Op::max; }

/// Larger operand, smaller operand (none: 0), operation, which way round, index, function; in that order.
constexpr std::uint64_t order_key(const Node& node) {
  const auto a = static_cast<std::uint64_t>(node.a + 1), b = static_cast<std::uint64_t>(node.b + 1);
  const std::uint64_t turned = a < b && !commutes(node.op) ? 1 : 0;
  return std::max(a, b) << 40 | std::min(a, b) << 32 | static_cast<std::uint64_t>(node.op) << 24 |
         turned << 20 | static_cast<std::uint64_t>(node.over + 1) << 8 | node.fn;
}

}  // namespace workbook::opt
