// Puzzle 16, what the learner is handed: the side of a tile, and the asynchronous copy of one element.
#pragma once

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include "tile.h"

// Begins to copy from[index] to `to`, in shared memory, and does not wait for it; where `inside` is false
// nothing is read, and `to` becomes 0. Like __pipeline_memcpy_async, which it calls: the value is there when
// the thread that asked has committed its copies and waited for them.
// Compute capability 8.0 and later copy past the registers (cp.async); before, the header loads and stores.
__device__ inline void copy_or_zero(float* to, const float* from, int index, bool inside) {
  // The last argument is how many of the four bytes are filled with zeros instead of being copied.
  __pipeline_memcpy_async(to, inside ? from + index : from, sizeof(float), inside ? 0 : sizeof(float));
}
