// Puzzle 39, LayerNorm + residual: out = (x - mean) / sqrt(variance + eps) * gamma + beta + residual, for
// each row of `hidden` elements. Mean and variance are those of the row of x: the residual is added
// afterwards.
//   --unfused   layernorm_kernel, then add_kernel of given.cuh: two launches, one tensor between them
//   --fused     fused_kernel: one launch; x is read for the mean, for the variance, and for the result
//   --welford   welford_kernel: x is read once and stays in registers; one pass gives mean and variance
//   --vector    vector_kernel: the same row in vectors of 16 bytes; float, half and bfloat16
// All tensors are row-major: x, residual, out [rows, hidden]; gamma, beta [hidden]. A block owns a row: the
// grid has as many blocks as there are rows. kBlockSize, kRowItems, block_sum and more: given.cuh.
#include <cuda_runtime.h>

#include "given.cuh"

struct Statistics {
  float mean, inv_std;
};

// Mean and 1 / sqrt(variance + eps) of a row in global memory, in every thread of the block that calls it.
__device__ inline Statistics row_statistics(const float* row, int hidden) {
  __shared__ float sums[2][kMaxWarps];  // for two calls of block_sum
  float mean = 0.0f, variance = 0.0f;
  // FILL ME IN: two_pass (roughly 9 lines)
  // END: two_pass
  return {mean, 1.0f / sqrtf(variance + kEpsilon)};
}

// --unfused, the first of its launches.
__global__ void layernorm_kernel(float* normalized, const float* x, const float* gamma, const float* beta,
                                 int hidden) {
  const int first = blockIdx.x * hidden;  // where this block's row begins
  const Statistics row = row_statistics(x + first, hidden);
  // FILL ME IN: unfused (roughly 2 lines)
  // END: unfused
}

// --fused: the residual is added where the normalised value is, in a register. Nobody stores and loads it.
__global__ void fused_kernel(float* out, const float* x, const float* residual, const float* gamma,
                             const float* beta, int hidden) {
  const int first = blockIdx.x * hidden;
  const Statistics row = row_statistics(x + first, hidden);
  // FILL ME IN: fused (roughly 3 lines)
  // END: fused
}

// What is known of some values: how many they are, their mean, and the sum of their squared differences from
// that mean. It begins as Welford{}: no values, all zero.
struct Welford {
  float count, mean, m2;
};

// Takes one more value in.
__device__ inline void welford_add(Welford& w, float value) {
  // FILL ME IN: welford_add (roughly 4 lines)
  // END: welford_add
}

// What is known of all values of a and b together. Either may be empty, or both.
__device__ inline Welford welford_merge(const Welford& a, const Welford& b) {
  Welford all = a;
  // FILL ME IN: welford_merge (roughly 5 lines)
  // END: welford_merge
  return all;
}

// warp_sum with welford_merge in the place of the addition.
__device__ inline Welford warp_welford(Welford w) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2) {
    const Welford other = {__shfl_xor_sync(kAllLanes, w.count, offset),
                           __shfl_xor_sync(kAllLanes, w.mean, offset),
                           __shfl_xor_sync(kAllLanes, w.m2, offset)};
    w = welford_merge(w, other);
  }
  return w;
}

// block_sum likewise. One barrier a row, where the two sums of row_statistics have two.
__device__ inline Welford block_welford(Welford w) {
  __shared__ Welford warps[kMaxWarps];
  const int lane = threadIdx.x % kWarpSize;
  w = warp_welford(w);
  if (lane == 0) warps[threadIdx.x / kWarpSize] = w;
  __syncthreads();
  return warp_welford(lane < kBlockSize / kWarpSize ? warps[lane] : Welford{});
}

// --welford. hidden <= kRowItems * kBlockSize.
__global__ void welford_kernel(float* out, const float* x, const float* residual, const float* gamma,
                               const float* beta, int hidden) {
  const int first = blockIdx.x * hidden;
  // Registers, as long as every index is known when the kernel is compiled: loops from 0 to kRowItems are
  // unrolled, with an `if` inside for what is past the end of the row.
  float row[kRowItems] = {};
  // FILL ME IN: welford_row (roughly 13 lines)
  // END: welford_row
}

// --vector. T is what the tensors hold. A thread has kItems vectors of N neighbours, and the block has
// threads enough for the row. N divides hidden, so that every row begins at a whole vector: the launch takes
// the N of 16 bytes where it can, else 1. The bound says how many threads there may be, so that registers
// suffice for all.
template <class T, int N, int kItems>
__global__ void __launch_bounds__(kMaxHidden / (N * kItems))
    vector_kernel(T* out, const T* x, const T* residual, const T* gamma, const T* beta, int hidden) {
  const int threads = blockDim.x, thread = threadIdx.x;
  const int vectors = hidden / N;          // of a row
  const int first = blockIdx.x * vectors;  // where this block's row begins, in vectors
  Vector<T, N> row[kItems] = {}, add[kItems], scale[kItems], shift[kItems];
  // FILL ME IN: vector_load (roughly 8 lines)
  // END: vector_load

  // The row's first element, one load for all lanes. Behind the others: it is converted to float at once, and
  // what stood below that would wait for it.
  const float origin = to_float(x[first * N]);
  float mean = 0.0f, variance = 0.0f;
  // FILL ME IN: vector_statistics (roughly 13 lines)
  // END: vector_statistics

  // FILL ME IN: vector_store (roughly 11 lines)
  // END: vector_store
}
