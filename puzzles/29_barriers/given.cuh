// Puzzle 29, what the learner is handed: how tiles come to shared memory, and the weights of the bar.
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cuda/barrier>
#include <utility>

#include "sizes.h"

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// kSteps points of time of a recording, one behind the other as they lie in x: value (row, channel) is number
// row * channels + channel.
using Tile = float[kSteps * kChannels];

// What the bar's next value is made of: a cell's left neighbour, itself, and its right one.
constexpr float kLeft = 0.3f, kMiddle = 0.5f, kRight = 0.2f;

// How many points of time a tile has that begins at `first`: kSteps, fewer at the end, 0 or less behind it.
__device__ inline int rows_of_tile(int first, int steps) {
  return steps - first < kSteps ? steps - first : kSteps;
}

// Loads the tile of a recording that begins at point of time `first` and stores it to `tile`. Called by all
// kChannels threads of a block.
__device__ inline void load_tile(Tile& tile, const float* x, int first, int steps, int channels) {
  const float4* from = reinterpret_cast<const float4*>(x + first * channels);
  float4* to = reinterpret_cast<float4*>(tile);
  for (int i = threadIdx.x; i < rows_of_tile(first, steps) * channels / 4; i += kChannels) to[i] = from[i];
}

// The same by an asynchronous copy, called by all threads of a group (a block, a warp): returns before the
// data is there. The phase of `arrival` in which the copy was begun ends only when it is done. Where no point
// of time is left, nothing is copied.
template <class Group>
__device__ inline void copy_tile(const Group& group, Tile& tile, const float* x, int first, int steps,
                                 int channels, Barrier& arrival) {
  const int rows = rows_of_tile(first, steps);
  if (rows > 0)
    cuda::memcpy_async(group, tile, x + first * channels,
                       cuda::aligned_size_t<16>(rows * channels * sizeof(float)), arrival);
}
