// Puzzle 26, Advanced warp: what 32 lanes can find out together about a row, 32 elements at a time.
//   --butterfly   the largest element of a row, which is taken off all of them, and its column
//   --scan        the running totals of a row
//   --compact     the elements of a row that are kept() moved to its front, in their order
//   --partition   the same, and the others behind them, in their order
//   --match       how many elements before it in the row have an element's key, and how many have each key
//   --tree, --scan-shared, --compact-shared, --partition-shared, --match-shared   the same by way of shared
//                 memory, given in given.cuh
// x, keys, ranks and out are [rows, columns], row-major, of any size; what belongs to a row is [rows], and
// counts of keys are [rows, kKeys]. Every kernel here has a grid of ceil(rows / kWarpsPerBlock) blocks of
// kBlockSize threads, and a warp has a row. Sizes and helpers stand in sizes.h and given.cuh.
//
// Functions that every lane named in `mask` calls together:
//   __shfl_xor_sync(mask, value, d)    `value` of lane ^ d
//   __shfl_up_sync(mask, value, d)     `value` of lane - d; the first d lanes get their own back
//   __shfl_sync(mask, value, n)        `value` of lane n
//   __ballot_sync(mask, condition)     a bit for each lane, 1 where its condition holds
//   __match_any_sync(mask, key)        a bit for each lane, 1 where its key is the caller's
// And of one lane alone: __popc(bits), how many bits are 1; __ffs(bits), the number of the lowest one,
// counted from 1.
#include <cuda_runtime.h>

#include "given.cuh"

constexpr unsigned kAllLanes = 0xffffffffu;

// The best of the candidates of the 32 lanes, in every lane. All of them call it together.
__device__ inline Candidate warp_best(Candidate best) {
  // FILL ME IN: butterfly (roughly 5 lines)
  // END: butterfly
  return best;
}

// out = x - the largest element of its row; columns_of[row] is where that stands first.
__global__ void largest_butterfly_kernel(float* out, int* columns_of, const float* x, int rows, int columns) {
  const int lane = threadIdx.x % kWarpSize;
  const int row = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpSize;
  if (row >= rows) return;  // all lanes of a warp leave together
  Candidate best = nothing();
  for (int c = lane; c < columns; c += kWarpSize) best = better(best, {x[row * columns + c], c});
  best = warp_best(best);
  if (lane == 0) columns_of[row] = best.column;
  for (int c = lane; c < columns; c += kWarpSize) out[row * columns + c] = x[row * columns + c] - best.value;
}

// The sum of the values of lanes 0 to this one. All 32 lanes call it together.
__device__ inline int warp_scan(int value, int lane) {
  // FILL ME IN: warp_scan (roughly 4 lines)
  // END: warp_scan
  return value;
}

// out[row][c] = x[row][0] + ... + x[row][c].
__global__ void totals_scan_kernel(int* out, const int* x, int rows, int columns) {
  const int lane = threadIdx.x % kWarpSize;
  const int row = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpSize;
  if (row >= rows) return;  // all lanes of a warp leave together
  int before = 0;           // what all elements before these 32 add up to
  for (int first = lane; first < columns + lane; first += kAhead * kWarpSize) {
    int values[kAhead];
    load_ahead(values, x + row * columns, first, columns);
    for (int j = 0; j < kAhead; ++j) {
      const int c = first + j * kWarpSize;  // the lane's column: behind the row's end values[j] is 0
      // FILL ME IN: totals (roughly 3 lines)
      // END: totals
    }
  }
}

// How many of the lanes before this one have their bit set in `votes`.
__device__ inline int votes_before(unsigned votes, int lane) {
  int before = 0;
  // FILL ME IN: votes_before (roughly 1 line)
  // END: votes_before
  return before;
}

// The kept elements of a row come first in out, in their order; the places behind them hold 0 already.
// counts[row] is how many there are.
__global__ void compact_kernel(int* out, int* counts, const int* x, int rows, int columns) {
  const int lane = threadIdx.x % kWarpSize;
  const int row = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpSize;
  if (row >= rows) return;  // all lanes of a warp leave together
  int before = 0;           // kept ones before these 32 elements
  for (int first = lane; first < columns + lane; first += kAhead * kWarpSize) {
    int values[kAhead];
    load_ahead(values, x + row * columns, first, columns);
    for (int j = 0; j < kAhead; ++j) {
      const int c = first + j * kWarpSize;  // the lane's column: behind the row's end values[j] is 0
      // FILL ME IN: compact (roughly 4 lines)
      // END: compact
    }
  }
  if (lane == 0) counts[row] = before;
}

// The kept elements of a row, then the others, each in their order. counts[row] is how many are kept.
__global__ void partition_kernel(int* out, int* counts, const int* x, int rows, int columns) {
  const int lane = threadIdx.x % kWarpSize;
  const int row = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpSize;
  if (row >= rows) return;  // all lanes of a warp leave together
  int all_kept = 0;         // in the whole row: where the others begin
  for (int first = lane; first < columns + lane; first += kAhead * kWarpSize) {
    int values[kAhead];
    load_ahead(values, x + row * columns, first, columns);
    for (int j = 0; j < kAhead; ++j) {
      const int c = first + j * kWarpSize;
      // FILL ME IN: count (roughly 1 line)
      // END: count
    }
  }
  int before = 0;  // kept ones before these 32 elements
  for (int first = lane; first < columns + lane; first += kAhead * kWarpSize) {
    int values[kAhead];
    load_ahead(values, x + row * columns, first, columns);
    for (int j = 0; j < kAhead; ++j) {
      const int c = first + j * kWarpSize;
      // FILL ME IN: partition (roughly 6 lines)
      // END: partition
    }
  }
  if (lane == 0) counts[row] = all_kept;
}

// ranks[row][c] = how many elements before column c have the same key; counts[row][k] = how many have key k.
__global__ void ranks_match_kernel(int* ranks, int* counts, const int* keys, int rows, int columns) {
  __shared__ int counters[kWarpsPerBlock][kKeys];
  const int lane = threadIdx.x % kWarpSize;
  const int row = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpSize;
  if (row >= rows) return;                        // all lanes of a warp leave together
  int* mine = counters[threadIdx.x / kWarpSize];  // the warp's own: of each key, how many there have been
  if (lane < kKeys) mine[lane] = 0;
  __syncwarp();
  for (int first = lane; first < columns + lane; first += kAhead * kWarpSize) {
    int values[kAhead];
    load_ahead(values, keys + row * columns, first, columns);
    for (int j = 0; j < kAhead; ++j) {
      const int c = first + j * kWarpSize, key = values[j];  // behind the row's end there is no key
      // FILL ME IN: match (roughly 8 lines)
      // END: match
      __syncwarp();  // other lanes read the counters next
    }
  }
  if (lane < kKeys) counts[row * kKeys + lane] = mine[lane];
}
