// The sum over a block.
#pragma once

#include "optimizer/device/over_block.cuh"
#include "optimizer/device/warp_sums.cuh"

template <int kThreads>
__device__ inline float block_sum(float value) {
  return over_block<kThreads>(warp_sum(value), 0.0f, [](float a, float b) { return a + b; });
}
