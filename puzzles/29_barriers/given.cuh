// Puzzle 29, what the learner is handed: how tiles come to shared memory, and the weights of the bar.
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cuda/barrier>
#include <utility>

#include "sizes.h"

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// kSteps points of time, kChannels channels of each.
using Tile = float[kSteps][kChannels];

// What the bar's next value is made of: a cell's left neighbour, itself, and its right one.
constexpr float kLeft = 0.3f, kMiddle = 0.5f, kRight = 0.2f;

// The rows of x, [steps, channels], from `first` on: what of them the block filters goes to `tile`. Called by
// all kChannels threads, each of which loads and stores. A warp has a row, a lane four channels of it.
__device__ inline void load_tile(Tile& tile, const float* x, int first, int steps, int channels) {
  const int channel = blockIdx.x * kChannels + threadIdx.x % kWarpSize * 4;
  if (channel >= channels) return;
  for (int row = threadIdx.x / kWarpSize; row < kSteps && first + row < steps; row += kChannels / kWarpSize)
    *reinterpret_cast<float4*>(&tile[row][threadIdx.x % kWarpSize * 4]) =
        *reinterpret_cast<const float4*>(&x[(first + row) * channels + channel]);
}

// The same by asynchronous copies, called by `threads` threads, whole warps: returns before the data is
// there. The phase of `arrival` in which they were begun ends only when they are done. Nothing is copied
// where no row is left.
__device__ inline void copy_tile(Tile& tile, const float* x, int first, int steps, int channels, int threads,
                                 Barrier& arrival) {
  const auto warp = cg::tiled_partition<kWarpSize>(cg::this_thread_block());
  const int channel = blockIdx.x * kChannels;
  const int wide = channels - channel < kChannels ? channels - channel : kChannels;
  for (int row = threadIdx.x % threads / kWarpSize; row < kSteps && first + row < steps;
       row += threads / kWarpSize)
    cuda::memcpy_async(warp, tile[row], &x[(first + row) * channels + channel],
                       cuda::aligned_size_t<16>(wide * sizeof(float)), arrival);
}
