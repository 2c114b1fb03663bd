// Maxima of a block's columns.
#pragma once

#include "optimizer/device/over_rows.cuh"

template <int kThreads, int kLanes, int kVector>
__device__ inline void rows_max(float (&values)[kVector]) {
  over_rows<kThreads, kLanes>(values, -INFINITY, [](float a, float b) { return fmaxf(a, b); });
}
