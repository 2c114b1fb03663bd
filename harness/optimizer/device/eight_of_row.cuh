// Eight elements of a matrix in memory.
#pragma once

#include "optimizer/device/half.cuh"

// Eight elements of a matrix: `bits` is how they travel, `at` what they are.
union EightOfRow {
  uint4 bits;
  Half at[8];
};
// Those of a row of `size` elements from `first` on; behind its end its last ones again. No load stands
// behind a condition that differs from thread to thread, so that all of them are on their way together.
__device__ inline EightOfRow eight_of_row(const Half* row, int first, int size) {
  EightOfRow eight;
  if (size % 8 == 0) {
    eight.bits = *reinterpret_cast<const uint4*>(row + min(first, size - 8));
  } else {
#pragma unroll
    for (int i = 0; i < 8; ++i) eight.at[i] = row[min(first + i, size - 1)];
  }
  return eight;
}
