// Puzzle 26, what the learner is handed: the better of two candidates, and the same four computations by way
// of shared memory, a block a row, to compare with.
#pragma once

#include <cuda_runtime.h>

#include <climits>
#include <cmath>

#include "sizes.h"

// An element of a row that may be its largest, and where it stands.
struct Candidate {
  float value;
  int column;
};

// What a lane begins with: less than every element.
__device__ inline Candidate nothing() { return {-INFINITY, INT_MAX}; }

// The larger one; of two equal ones that of the lower column.
__device__ inline Candidate better(Candidate a, Candidate b) {
  if (a.value != b.value) return a.value > b.value ? a : b;
  return a.column < b.column ? a : b;
}

// Which elements are moved to the front of their row.
__device__ inline bool kept(int value) { return value >= 0; }

// Loads kAhead elements of a row, from column c on and kWarpSize apart, so that they are waited for together.
// 0 where the row has ended.
__device__ inline void load_ahead(int* values, const int* row, int c, int columns) {
  for (int j = 0; j < kAhead; ++j) values[j] = c + j * kWarpSize < columns ? row[c + j * kWarpSize] : 0;
}

// --tree: the largest of a row by the tree of Puzzle 12. Grid of `rows` blocks.
__global__ void largest_tree_kernel(float* out, int* columns_of, const float* x, int columns) {
  __shared__ Candidate candidates[kBlockSize];
  const int t = threadIdx.x;
  const float* row = x + blockIdx.x * columns;
  Candidate best = nothing();
  for (int c = t; c < columns; c += kBlockSize) best = better(best, {row[c], c});
  candidates[t] = best;
  for (int half = kBlockSize / 2; half > 0; half /= 2) {
    __syncthreads();  // what is read below was stored by another thread
    if (t < half) candidates[t] = better(candidates[t], candidates[t + half]);
  }
  __syncthreads();  // thread 0 has stored the best, and every thread reads it
  best = candidates[0];
  if (t == 0) columns_of[blockIdx.x] = best.column;
  for (int c = t; c < columns; c += kBlockSize) out[blockIdx.x * columns + c] = row[c] - best.value;
}

// The scan of Puzzle 14: the sum of the values of threads 0 to this one. All threads of the block call it.
__device__ inline int block_scan(int value) {
  __shared__ int row[2][kBlockSize];  // two rows, used in turns
  const int t = threadIdx.x;
  int turn = 0;
  for (int distance = 1; distance < kBlockSize; distance *= 2) {
    row[turn][t] = value;
    __syncthreads();
    if (t >= distance) value += row[turn][t - distance];
    turn = 1 - turn;
  }
  return value;
}

// The value of the last thread of the block, for all. All threads call it.
__device__ inline int of_last_thread(int value) {
  __shared__ int last;
  if (threadIdx.x == kBlockSize - 1) last = value;
  __syncthreads();
  const int shared = last;
  __syncthreads();  // everybody has read it: the next call may store
  return shared;
}

// --scan-shared: the running totals of a row, kBlockSize elements at a time. Grid of `rows` blocks.
__global__ void totals_shared_kernel(int* out, const int* x, int columns) {
  const int* row = x + blockIdx.x * columns;
  int before = 0;
  for (int first = 0; first < columns; first += kBlockSize) {
    const int c = first + threadIdx.x;
    const int total = before + block_scan(c < columns ? row[c] : 0);
    if (c < columns) out[blockIdx.x * columns + c] = total;
    before = of_last_thread(total);
  }
}

// --compact-shared, and with kOthers --partition-shared: the place of an element is found by scanning ones
// and zeros. Grid of `rows` blocks.
template <bool kOthers>
__global__ void split_shared_kernel(int* out, int* counts, const int* x, int columns) {
  const int* row = x + blockIdx.x * columns;
  int* to = out + blockIdx.x * columns;
  int all_kept = 0;
  if (kOthers) {
    for (int c = threadIdx.x; c < columns; c += kBlockSize) all_kept += kept(row[c]);
    all_kept = of_last_thread(block_scan(all_kept));
  }
  int before = 0;
  for (int first = 0; first < columns; first += kBlockSize) {
    const int c = first + threadIdx.x;
    const bool keep = c < columns && kept(row[c]);
    const int up_to = before + block_scan(keep);  // kept ones, this element included
    if (keep) to[up_to - 1] = row[c];
    if (kOthers && c < columns && !keep) to[all_kept + c - up_to] = row[c];
    before = of_last_thread(up_to);
  }
  if (threadIdx.x == 0) counts[blockIdx.x] = before;
}

// --match-shared: a scan of ones and zeros for each key. Grid of `rows` blocks.
__global__ void ranks_shared_kernel(int* ranks, int* counts, const int* keys, int columns) {
  const int* row = keys + blockIdx.x * columns;
  for (int key = 0; key < kKeys; ++key) {
    int before = 0;
    for (int first = 0; first < columns; first += kBlockSize) {
      const int c = first + threadIdx.x;
      const bool has = c < columns && row[c] == key;
      const int up_to = before + block_scan(has);
      if (has) ranks[blockIdx.x * columns + c] = up_to - 1;
      before = of_last_thread(up_to);
    }
    if (threadIdx.x == 0) counts[blockIdx.x * kKeys + key] = before;
  }
}
