// Puzzle 29, Barriers: who waits for whom, and for how long.
// A filter over time, out[t] = out[t - 1] + rate * (x[t] - out[t - 1]) for each channel, from 0 on: what
// comes next cannot be computed early, but it can be fetched early.
//   --lockstep   a tile of x comes, all wait, all filter it, all wait
//   --split      all arrive at a barrier when the next tile is under way, filter this one, and then wait
//   --pipeline   one warp fetches tiles, the others filter them, and two barriers a tile say who may go on
// A bar of cells, each of which becomes a mix of itself and its neighbours, again and again; its ends stay.
//   --launches   a launch for each step
//   --grid       one launch: after each step all blocks meet
//   --halo       one launch: blocks do kHalo steps on their own, and then meet
// Filter: x and out [recordings, steps, channels], rate [recordings, channels]; channels is a multiple of 4,
// kChannels at most, steps any number. Bar: u and out [size]. All are floats.
// kChannels = 128, kSteps = 8, kStages = 8, kProducers = 32; kTileCells = 256, kHalo = 16, kOwnCells = 224.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cuda/barrier>
#include <utility>

#include "given.cuh"

// Takes a tile of the block's recording through the filter, a thread a channel: the points of time from
// `first` on, of `steps` in all. x and out begin with the recording. `state` is the channel's latest value of
// out, which thread threadIdx.x keeps from tile to tile. Rows of tile, x and out have `channels` values.
__device__ inline void filter_tile(float* out, const Tile& tile, float& state, float rate, int first,
                                   int steps, int channels) {
  const int channel = threadIdx.x;
  if (channel >= channels) return;
  // FILL ME IN: filter (roughly 4 lines)
  // END: filter
}

// The rate of this thread's channel, or 0 where there is none.
__device__ inline float rate_of_channel(const float* rate, int channels) {
  const int channel = threadIdx.x;
  return channel < channels ? rate[blockIdx.x * channels + channel] : 0.0f;
}

// --lockstep, given but for filter_tile(). A block of kChannels threads a recording, as for --split.
__global__ void lockstep_kernel(float* out, const float* x, const float* rate, int steps, int channels) {
  __shared__ alignas(16) Tile tile;
  const int recording = blockIdx.x * steps * channels;
  const float mine = rate_of_channel(rate, channels);
  float state = 0.0f;
  for (int first = 0; first < steps; first += kSteps) {
    load_tile(tile, x + recording, first, steps, channels);
    __syncthreads();  // the tile is whole
    filter_tile(out + recording, tile, state, mine, first, steps, channels);
    __syncthreads();  // nobody reads it any more
  }
}

// --split. One barrier, whose phase `turn` ends when tile `turn` is there and all threads have arrived for
// it: to arrive says that one has left the tiles before `turn - 1`, too. Three tiles take turns.
__global__ void split_kernel(float* out, const float* x, const float* rate, int steps, int channels) {
  __shared__ alignas(16) Tile tiles[3];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier ready;
  const auto block = cg::this_thread_block();
  const float mine = rate_of_channel(rate, channels);
  float state = 0.0f;
  x += blockIdx.x * steps * channels;
  out += blockIdx.x * steps * channels;
  if (threadIdx.x == 0) init(&ready, kChannels);
  __syncthreads();
  copy_tile(block, tiles[0], x, 0, steps, channels, ready);
  Barrier::arrival_token token = ready.arrive();
  for (int first = 0, turn = 0; first < steps; first += kSteps, ++turn) {
    // FILL ME IN: split (roughly 4 lines)
    // END: split
  }
}

// The producers of --pipeline, warp 4 of the block: fetch each tile as soon as its stage is empty.
__device__ inline void produce(Tile* tiles, Barrier* full, Barrier* empty, const float* x, int steps,
                               int channels) {
  const auto warp = cg::tiled_partition<kWarpSize>(cg::this_thread_block());
  for (int first = 0, turn = 0; first < steps; first += kSteps, ++turn) {
    const int stage = turn % kStages;
    const bool parity = turn / kStages % 2 != 0;  // of the phase of full[stage] that ends with this tile
    // FILL ME IN: produce (roughly 3 lines)
    // END: produce
  }
}

// Its consumers, threads 0 to kChannels - 1: filter each tile as soon as it is there.
__device__ inline void consume(float* out, const Tile* tiles, Barrier* full, Barrier* empty,
                               const float* rate, int steps, int channels) {
  const float mine = rate_of_channel(rate, channels);
  float state = 0.0f;
  for (int first = 0, turn = 0; first < steps; first += kSteps, ++turn) {
    const int stage = turn % kStages;
    const bool parity = turn / kStages % 2 != 0;  // of the phase of full[stage] that ends with this tile
    // FILL ME IN: consume (roughly 3 lines)
    // END: consume
  }
}

// --pipeline. A recording a block, of kChannels + kProducers threads. full[s] tells consumers that stage s
// holds a tile, empty[s] tells producers that it may be overwritten.
__global__ void pipeline_kernel(float* out, const float* x, const float* rate, int steps, int channels) {
  __shared__ alignas(16) Tile tiles[kStages];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier full[kStages], empty[kStages];
  if (threadIdx.x == 0)
    for (int stage = 0; stage < kStages; ++stage) {
      // FILL ME IN: counts (roughly 2 lines)
      // END: counts
    }
  __syncthreads();  // nobody may use a barrier before it has its count
  const int recording = blockIdx.x * steps * channels;
  if (threadIdx.x < kChannels)
    consume(out + recording, tiles, full, empty, rate, steps, channels);
  else
    produce(tiles, full, empty, x + recording, steps, channels);
}

// What cell i of the bar becomes, of `size`: the mix of the three, at an end what it is.
__device__ inline float next_value(const float* cells, int i, int size) {
  float value = cells[i];
  // FILL ME IN: cell (roughly 2 lines)
  // END: cell
  return value;
}

// --launches, given but for next_value(): one step of the bar. Grid of ceil(size / kTileCells) blocks.
__global__ void step_kernel(float* to, const float* from, int size) {
  const int i = blockIdx.x * kTileCells + threadIdx.x;
  if (i < size) to[i] = next_value(from, i, size);
}

// --grid. As many blocks of kTileCells threads as are needed, and no more than the GPU holds at once: the
// launch is a cooperative one. `spare` is as long as `out`.
__global__ void grid_kernel(float* out, float* spare, const float* u, int size, int steps) {
  const cg::grid_group grid = cg::this_grid();
  const int first = blockIdx.x * kTileCells + threadIdx.x, stride = gridDim.x * kTileCells;
  const float* from = u;
  for (int step = 0; step < steps; ++step) {
    float* to = (steps - step) % 2 == 1 ? out : spare;  // in turns, so that the last step's are out
    // FILL ME IN: grid (roughly 2 lines)
    // END: grid
    from = to;
  }
}

// Takes the kTileCells cells of a block through `steps` steps, kHalo at most. cells[0] holds them as they
// are. Cell threadIdx.x is number i of the bar. Its neighbours' values are missing at the tile's own ends,
// which keep theirs: a cell of the halo goes wrong with each step, and what is left in the middle is right.
// Returns what the thread's cell becomes.
__device__ inline float steps_of_tile(float (*cells)[kTileCells], int i, int size, int steps) {
  const int at = threadIdx.x;
  float value = cells[0][at];
  const bool mixes = at > 0 && at < kTileCells - 1 && i > 0 && i < size - 1;
  for (int step = 0; step < steps; ++step) {
    // FILL ME IN: halo (roughly 4 lines)
    // END: halo
  }
  return value;
}

// --halo, given but for steps_of_tile(). Launched as grid_kernel is, with a block for kOwnCells cells.
__global__ void halo_kernel(float* out, float* spare, const float* u, int size, int steps) {
  __shared__ float cells[2][kTileCells];
  const cg::grid_group grid = cg::this_grid();
  const int at = threadIdx.x;
  const bool own = at >= kHalo && at < kTileCells - kHalo;
  const float* from = u;
  for (int done = 0; done < steps; done += kHalo) {
    const int left = steps - done, now = left < kHalo ? left : kHalo;
    float* to = (left + kHalo - 1) / kHalo % 2 == 1 ? out : spare;
    for (int first = blockIdx.x * kOwnCells; first < size; first += gridDim.x * kOwnCells) {
      const int i = first - kHalo + at;
      cells[0][at] = i >= 0 && i < size ? from[i] : 0.0f;
      __syncthreads();
      const float value = steps_of_tile(cells, i, size, now);
      if (own && i < size) to[i] = value;
      __syncthreads();  // where the block has another tile, nobody reads this one any more
    }
    grid.sync();
    from = to;
  }
}
