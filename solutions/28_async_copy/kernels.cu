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
  sums[kReach + c] = sum;
  // The only barrier of a row. Nobody stores to this array again before the barrier of the next row, and that
  // is behind all that is read here.
  __syncthreads();
  for (int step = -kReach; step <= kReach; ++step)
    cheapest = fminf(cheapest, sums[kReach + c + step] + abs(step));
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
    if (row < rows && c < columns)
      __pipeline_memcpy_async(&stages[row % kStages][c], &terrain[row * columns + c], sizeof(float));
    // A group for each call, an empty one behind the last row: the wait below counts groups, not rows.
    __pipeline_commit();
    // END: fetch
  };
  float cost = 0.0f;
  // FILL ME IN: stages (roughly 6 lines)
  for (int row = 0; row < kStages - 1; ++row) fetch(row);
  for (int row = 0; row < rows; ++row) {
    fetch(row + kStages - 1);  // into the stage that the row before this one has left
    // The groups of the kStages - 1 rows behind this one may go on. No barrier: each thread has copied what
    // it alone reads.
    __pipeline_wait_prior(kStages - 1);
    cost = cross(sums[row % 2], cost + stages[row % kStages][c]);
  }
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
  const auto fetch = [&](int row) {
    pipe.producer_acquire();  // waits until all threads have released the stage
    cuda::memcpy_async(block, stages[row % kDepth], terrain + row * columns, row_bytes, pipe);
    pipe.producer_commit();
  };
  for (int row = 0; row < kDepth - 1 && row < rows; ++row) fetch(row);
  for (int row = 0; row < rows; ++row) {
    // No empty stages here: a wait is for the oldest stage, however many there are behind it.
    if (row + kDepth - 1 < rows) fetch(row + kDepth - 1);
    pipe.consumer_wait();  // for the copies of all threads
    const float height = stages[row % kDepth][c];
    pipe.consumer_release();
    cost = cross(sums[row % 2], cost + height);
  }
  // END: pipeline
  if (c < columns) out[blockIdx.x * columns + c] = cost;
}
