// Made-up runs of any size, for tests and measurements of what large tensors cost.
#pragma once

#include <cstdint>

#include "runs/store.h"

namespace workbook::viewer::fixture {

/// One launch copies a square tensor "in" (0) to "out" (1), 256 threads a block, each `elements_each`
/// consecutive elements at line 7: side * side / elements_each * 2 events.
runs::StoredRun copy(std::int64_t side, std::uint32_t elements_each);

}  // namespace workbook::viewer::fixture
