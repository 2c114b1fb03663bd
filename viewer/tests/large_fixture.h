// Made-up runs of any size, for tests and measurements of what large tensors cost.
#pragma once

#include <cstdint>
#include <vector>

#include "runs/store.h"

namespace workbook::viewer::fixture {

/// One launch copies a tensor "in" (0) to "out" (1), 256 threads a block, each `elements_each` consecutive
/// elements at line 7: two events a thread.
runs::StoredRun copy(const std::vector<std::int64_t>& shape, std::uint32_t elements_each);
inline runs::StoredRun copy(std::int64_t side, std::uint32_t elements_each) {
  return copy({side, side}, elements_each);
}

}  // namespace workbook::viewer::fixture
