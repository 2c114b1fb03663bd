// Puzzle 28, Asynchronous copy and overlap: the cheapest way down through a terrain, row after row. A block
// has a terrain, and a row needs the one above it, so that nothing but the block itself can hide the time
// that its rows take to arrive.
//   --plain          each row is loaded when it is needed
//   --one-stage      copied when it is needed: cp.async, and a wait for it
//   --two-stages     a row ahead, through a ring of two buffers
//   --four-stages    three rows ahead, through a ring of four: the same kernel
//   --pipeline       three rows ahead, by cuda::pipeline, which also keeps the threads of the block in step
// x [terrains, rows, columns], what it costs to cross a cell; out [terrains, columns], what it costs to come
// to each column behind the last row. From a row to the next a path moves up to kReach columns sideways, for
// 1 a column.
// kColumns = 256, kReach = 12, kDepth = 4. A grid of a block a terrain; columns is at most kColumns, the
// threads of a block, and rows is any number.
#include <cuda_runtime.h>

#include "given.cuh"

// What it costs to come to the thread's column of the next row. `sum` is what it has cost to come to its
// column of this row and to cross that; `sums` has room for all of them, that of column c at kReach + c, and
// kOutside where there is no column. All threads call it, with one of two arrays in turn.
__device__ inline float cross(float* sums, float sum) {
  const int c = threadIdx.x;
  float cheapest = kOutside;
  // FILL ME IN: cross (roughly 4 lines)
  // END: cross
  return cheapest;
}

// --plain, given: a load and a wait for it. The compiler is kept from loading rows of later rounds ahead.
__global__ void plain_kernel(float* out, const float* x, int rows, int columns) {
  __shared__ float stages[1][kColumns];
  __shared__ float sums[2][kPadded];
  const int c = threadIdx.x;
  const float* terrain = x + blockIdx.x * rows * columns;
  fill_outside(stages, sums, columns);
  float cost = 0.0f;
#pragma unroll 1
  for (int row = 0; row < rows; ++row)
    cost = cross(sums[row % 2], cost + (c < columns ? terrain[row * columns + c] : kOutside));
  if (c < columns) out[blockIdx.x * columns + c] = cost;
}

// --one-stage, --two-stages and --four-stages: row r travels through stage r % kStages.
template <int kStages>
__global__ void stages_kernel(float* out, const float* x, int rows, int columns) {
  __shared__ float stages[kStages][kColumns];
  __shared__ float sums[2][kPadded];
  const int c = threadIdx.x;
  const float* terrain = x + blockIdx.x * rows * columns;
  fill_outside(stages, sums, columns);
  // fetch(row): begins to copy the thread's cell of that row, and closes the group.
  const auto fetch = [&](int row) {
    // FILL ME IN: fetch (roughly 3 lines)
    // END: fetch
  };
  float cost = 0.0f;
  // FILL ME IN: stages (roughly 6 lines)
  // END: stages
  if (c < columns) out[blockIdx.x * columns + c] = cost;
}

// --pipeline: the block copies each row together, by cuda::memcpy_async(block, to, from, row_bytes, pipe).
__global__ void pipeline_kernel(float* out, const float* x, int rows, int columns) {
  __shared__ float stages[kDepth][kColumns];
  __shared__ float sums[2][kPadded];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kDepth> state;
  const int c = threadIdx.x;
  const float* terrain = x + blockIdx.x * rows * columns;
  fill_outside(stages, sums, columns);
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const cuda::aligned_size_t<sizeof(float)> row_bytes(columns * sizeof(float));
  float cost = 0.0f;
  // FILL ME IN: pipeline (roughly 12 lines)
  // END: pipeline
  if (c < columns) out[blockIdx.x * columns + c] = cost;
}
