// Puzzle 34, what the learner is handed: reductions within a block, and the kernels that do the same work
// without clusters, through global memory.
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cmath>

#include "cluster_group.cuh"
#include "sizes.h"

namespace cg = cooperative_groups;

constexpr unsigned kAllLanes = 0xffffffffu;

struct Larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

// What `combine` makes of the values of `width` neighbouring lanes, in each of them. `width`: a power of two.
template <class T, class Combine>
__device__ T lanes_reduce(T value, Combine combine, int width) {
  for (int distance = width / 2; distance > 0; distance /= 2)
    value = combine(value, __shfl_xor_sync(kAllLanes, value, distance));
  return value;
}

// What `combine` makes of the values of all threads of the block, in every thread. All of them call it, as
// often as they like.
template <class T, class Combine>
__device__ T block_reduce(T value, Combine combine) {
  constexpr int kWarps = kBlock / kWarpSize;
  __shared__ T of_warp[kWarps];
  value = lanes_reduce(value, combine, kWarpSize);
  __syncthreads();  // nobody still reads what the call before has left
  if (threadIdx.x % kWarpSize == 0) of_warp[threadIdx.x / kWarpSize] = value;
  __syncthreads();
  return lanes_reduce(of_warp[threadIdx.x % kWarps], combine, kWarps);
}

// A row is cut into kCluster slices of this length; the last ones may be shorter or empty.
__host__ __device__ constexpr int slice_length(int columns) { return (columns + kCluster - 1) / kCluster; }

// The part of a row that a block has.
struct Slice {
  int begin, size;
};

// The learner's; kernels.cu.
__device__ Slice slice_of(int columns, int rank);
__device__ int count_at_least(const int* values, int size, int candidate);

// All kernels below: grid of kCluster x rows blocks of kBlock threads. Block (rank, row) has slice `rank` of
// its row.

// --softmax-global, launch 1: the maximum of each slice.
__global__ void slice_maximum_kernel(float* maxima, const float* x, int columns) {
  const Slice slice = slice_of(columns, blockIdx.x);
  const float* values = x + blockIdx.y * columns + slice.begin;
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < slice.size; i += kBlock) largest = fmaxf(largest, values[i]);
  largest = block_reduce(largest, Larger());
  if (threadIdx.x == 0) maxima[blockIdx.y * kCluster + blockIdx.x] = largest;
}

// Launch 2: the sum of exp(x - maximum) of each slice, once the maximum of the whole row is known.
__global__ void slice_sum_kernel(float* sums, const float* x, const float* maxima, int columns) {
  const Slice slice = slice_of(columns, blockIdx.x);
  const float* values = x + blockIdx.y * columns + slice.begin;
  const float largest =
      lanes_reduce(maxima[blockIdx.y * kCluster + threadIdx.x % kCluster], Larger(), kCluster);
  float sum = 0.0f;
  for (int i = threadIdx.x; i < slice.size; i += kBlock) sum += expf(values[i] - largest);
  sum = block_reduce(sum, Sum());
  if (threadIdx.x == 0) sums[blockIdx.y * kCluster + blockIdx.x] = sum;
}

// Launch 3: y, once the sum of the whole row is known.
__global__ void divide_kernel(float* y, const float* x, const float* maxima, const float* sums, int columns) {
  const Slice slice = slice_of(columns, blockIdx.x);
  const int begin = blockIdx.y * columns + slice.begin, part = blockIdx.y * kCluster + threadIdx.x % kCluster;
  const float largest = lanes_reduce(maxima[part], Larger(), kCluster);
  const float sum = lanes_reduce(sums[part], Sum(), kCluster);
  for (int i = threadIdx.x; i < slice.size; i += kBlock) y[begin + i] = expf(x[begin + i] - largest) / sum;
}

// The bits above `bit` of the k-th largest value, from counts[b]: how many values of the row are at least
// what is known above bit b with bit b set.
__device__ inline int bits_above(const int* counts, int bit, int k) {
  int found = 0;
  for (int b = kBits - 1; b > bit; --b)
    if (counts[b] >= k) found |= 1 << b;
  return found;
}

// --select-global, a launch for each bit from the highest down: counts[row][bit], which began as 0.
__global__ void count_bit_kernel(int* counts, const int* x, int columns, int k, int bit) {
  int* of_row = counts + blockIdx.y * kBits;
  const Slice slice = slice_of(columns, blockIdx.x);
  const int candidate = bits_above(of_row, bit, k) | 1 << bit;
  const int mine = count_at_least(x + blockIdx.y * columns + slice.begin, slice.size, candidate);
  const int all = block_reduce(mine, Sum());
  if (threadIdx.x == 0) atomicAdd(&of_row[bit], all);
}

// The last launch: a thread a row.
__global__ void selected_kernel(int* out, const int* counts, int rows, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) out[row] = bits_above(counts + row * kBits, -1, k);
}
