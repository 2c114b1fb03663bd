// Sums of a block's columns.
#pragma once

#include "optimizer/device/over_rows.cuh"

template <int kThreads, int kLanes, int kVector>
__device__ inline void rows_sum(float (&values)[kVector]) {
  over_rows<kThreads, kLanes>(values, 0.0f, [](float a, float b) { return a + b; });
}
