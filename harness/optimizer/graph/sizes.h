// Extents of all indices, and numbers that follow from them, such as 1 / sqrt(size(d)): their value at given
// extents, and their text in a kernel, which is called with extents of its own.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "optimizer/graph/graph.h"

namespace workbook::opt {

/// Of each index; 1 of those that a graph lacks.
using Extents = std::array<std::int32_t, kMaxIndices>;
Extents teaching_extents(const Graph& graph);
Extents real_extents(const Graph& graph);

double value_of(const Constant& constant, const Extents& extents);

/// As a float of CUDA C++; `size_of` says how an index's extent is called.
std::string text_of(const Constant& constant, const std::function<std::string(int index)>& size_of);

}  // namespace workbook::opt
