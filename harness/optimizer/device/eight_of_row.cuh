// Eight elements of a row in memory.
#pragma once

#include "optimizer/device/eight.cuh"

// Those of a row of `size` elements from `first` on; behind its end its last ones again. No load stands
// behind a condition that differs from thread to thread, so that all of them are on their way together.
__device__ inline Eight eight_of_row(const Half* row, int first, int size) {
  if (size % 8 == 0) return load_eight(row + min(first, size - 8));
  Eight eight;
#pragma unroll
  for (int i = 0; i < 8; ++i) eight.at[i] = row[min(first + i, size - 1)];
  return eight;
}
