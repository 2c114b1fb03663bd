// Copies and fills as pieces of work, for streams and for nodes of graphs.
#pragma once

#include "sim/runtime/pointers.h"
#include "sim/runtime/streams.h"

namespace workbook::sim {

struct Copy {
  Range to, from;  ///< of the same width and height
  cudaMemcpyKind kind;
};
Work copy_work(const Call& call, const Copy& copy);
bool pitches_fit(const Copy& copy);

/// Fills each element of `element_bytes` (1, 2 or 4) with the low bytes of `value`; the width is in bytes.
struct Fill {
  Range range;
  unsigned int value;
  unsigned int element_bytes;
};
Work fill_work(const Call& call, const Fill& fill);

/// One slice of a pitched box in memory.
struct Box {
  const char* start;
  std::size_t pitch, slice;
};
Box box_of(const cudaPitchedPtr& pitched, const cudaPos& at);

}  // namespace workbook::sim
