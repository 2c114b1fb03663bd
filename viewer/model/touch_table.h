// Two runs over the same tensors: which launch touches which tensor. For Mapping, side by side.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/access.h"

namespace workbook::viewer {

struct TouchLaunch {
  int side = 0;  ///< 0: run A, 1: run B
  int launch = 0;
};
struct TouchTensor {
  std::string name;
  runs::TensorRole role;
  std::vector<std::int64_t> shape;
  std::array<int, 2> id{-1, -1};  ///< in each run; -1: that run has no such tensor in memory
};
struct TouchTable {
  std::vector<TouchLaunch> launches;  ///< A's, then B's
  std::vector<TouchTensor>
      tensors;  ///< inputs, intermediates, outputs, shared tiles; those that were touched
};

/// Tensors are the same when name and shape are.
TouchTable make_touch_table(const AccessIndex& a, const AccessIndex& b);

}  // namespace workbook::viewer
