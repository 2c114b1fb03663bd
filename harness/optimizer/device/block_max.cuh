// The maximum over a block.
#pragma once

#include "optimizer/device/over_block.cuh"
#include "optimizer/device/warp_sums.cuh"

template <int kThreads>
__device__ inline float block_max(float value) {
  return over_block<kThreads>(warp_max(value), -INFINITY, [](float a, float b) { return fmaxf(a, b); });
}
