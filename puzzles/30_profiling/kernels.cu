// Puzzle 30, Profiling: moving sums by three kernels that are slow, and by three that you repair. What is
// computed, and the slow ones, stand in given.cuh.
//   --columns  given: its lanes are a row apart                 repaired as  --across
//   --thrash   given: what it reads again is not in L1 any more              --tiles
//   --chain    given: hardly anything is under way                           --ahead
// kWindow = 64, kAcross = 32, kDown = 8, kTile = 512, kAhead = 8.
#include <cuda_runtime.h>

#include "given.cuh"

// --across: grid of ceil(channels / kAcross) x ceil(steps / kDown), blocks of kAcross x kDown threads: an
// element of out each.
__global__ void across_kernel(float* out, const float* x, int steps, int channels) {
  // FILL ME IN: across (roughly 4 lines)
  // END: across
}

// --tiles: how many float4 wide the tile of a warp is. It is kTile / tile_wide() steps high.
__host__ __device__ constexpr int tile_wide() {
  int wide = kThrashWide;
  // FILL ME IN: tile (roughly 1 line)
  // END: tile
  return wide;
}

// --tiles: blocks of one warp, grid of ceil(vectors / kWide) x ceil(steps / kHigh), as in --thrash.
__global__ void tiles_kernel(float4* out, const float4* x, int steps, int vectors) {
  constexpr int kWide = tile_wide(), kHigh = kTile / kWide;
  sum_tile<kHigh, kWide>(out, x, blockIdx.y * kHigh, blockIdx.x * kWide, steps, vectors);
}

// --ahead: how many steps a thread has. Above them, another thread begins with a sum of its own.
constexpr int band_steps() {
  int band = 1 << 20;  // all, as in --chain
  // FILL ME IN: band (roughly 1 line)
  // END: band
  return band;
}

// --ahead: grid of ceil(channels / kChainBlock) x ceil(steps / band), where `band` is band_steps(): a thread
// has `channel` of out, from step `first` to below `last`.
__global__ void ahead_kernel(float* out, const float* x, int steps, int channels, int band) {
  const int channel = blockIdx.x * kChainBlock + threadIdx.x;
  const int first = blockIdx.y * band;
  const int last = first + band < steps ? first + band : steps;
  if (channel >= channels) return;
  float sum = window_sum(x + first * channels + channel, channels);  // of step `first`
  // FILL ME IN: ahead (roughly 12 lines)
  // END: ahead
}
