// Numbers that follow from extents, such as 1 / sqrt(size(d)): their value at given extents, and their text
// in a kernel, which is called with extents of its own.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "optimizer/graph/graph.h"

namespace workbook::opt {

double value_of(const Constant& constant, const std::array<std::int32_t, kMaxIndices>& extents);

/// As a float of CUDA C++; `size_of` says how an index's extent is called.
std::string text_of(const Constant& constant, const std::function<std::string(int index)>& size_of);

}  // namespace workbook::opt
