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
  float sum = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kBlockSize) sum += row[h];  // lanes side by side: coalesced
  mean = block_sum(sum, sums[0]) / hidden;
  // The variance from differences to the mean: nothing cancels, however far the mean is from 0.
  float squares = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kBlockSize) {
    const float difference = row[h] - mean;
    squares += difference * difference;
  }
  variance = block_sum(squares, sums[1]) / hidden;
  // END: two_pass
  return {mean, 1.0f / sqrtf(variance + kEpsilon)};
}

// --unfused, the first of its launches.
__global__ void layernorm_kernel(float* normalized, const float* x, const float* gamma, const float* beta,
                                 int hidden) {
  const int first = blockIdx.x * hidden;  // where this block's row begins
  const Statistics row = row_statistics(x + first, hidden);
  // FILL ME IN: unfused (roughly 2 lines)
  for (int h = threadIdx.x; h < hidden; h += kBlockSize)
    normalized[first + h] = (x[first + h] - row.mean) * row.inv_std * gamma[h] + beta[h];
  // END: unfused
}

// --fused: the residual is added where the normalised value is, in a register. Nobody stores and loads it.
__global__ void fused_kernel(float* out, const float* x, const float* residual, const float* gamma,
                             const float* beta, int hidden) {
  const int first = blockIdx.x * hidden;
  const Statistics row = row_statistics(x + first, hidden);
  // FILL ME IN: fused (roughly 3 lines)
  for (int h = threadIdx.x; h < hidden; h += kBlockSize) {
    const float normalized = (x[first + h] - row.mean) * row.inv_std * gamma[h] + beta[h];
    out[first + h] = normalized + residual[first + h];
  }
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
  const float delta = value - w.mean;
  w.count += 1.0f;
  w.mean += __fdividef(delta, w.count);  // to two ulps, in a few instructions; / takes many and a branch
  // One factor from before the mean moved, one from after: that product is what the sum of squares grows by.
  w.m2 += delta * (value - w.mean);
  // END: welford_add
}

// What is known of all values of a and b together. Either may be empty, or both.
__device__ inline Welford welford_merge(const Welford& a, const Welford& b) {
  Welford all = a;
  // FILL ME IN: welford_merge (roughly 5 lines)
  all.count = a.count + b.count;
  // The part of b in all. Where both are empty, 0 / 1 and not 0 / 0.
  const float share = __fdividef(b.count, fmaxf(all.count, 1.0f));
  const float delta = b.mean - a.mean;
  all.mean = a.mean + delta * share;
  // Each side's squares are around its own mean; the last term moves both to the common one.
  all.m2 = a.m2 + b.m2 + delta * delta * a.count * share;
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
  Welford w = {};
  for (int k = 0; k < kRowItems; ++k) {
    const int h = k * kBlockSize + threadIdx.x;
    if (h < hidden) {
      row[k] = x[first + h];  // the only time
      welford_add(w, row[k]);
    }
  }
  w = block_welford(w);
  const float inv_std = 1.0f / sqrtf(w.m2 / hidden + kEpsilon);
  for (int k = 0; k < kRowItems; ++k) {
    const int h = k * kBlockSize + threadIdx.x;
    if (h < hidden) out[first + h] = (row[k] - w.mean) * inv_std * gamma[h] + beta[h] + residual[first + h];
  }
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
  // All loads before the first sum: they are on their way together, and nothing waits for memory a second
  // time.
  for (int k = 0; k < kItems; ++k) {
    const int i = k * threads + thread;
    if (i >= vectors) break;
    row[k] = load_vector<N>(x, first + i);
    add[k] = load_vector<N>(residual, first + i);
    scale[k] = load_vector<N>(gamma, i);
    shift[k] = load_vector<N>(beta, i);
  }
  // END: vector_load

  // The row's first element, one load for all lanes. Behind the others: it is converted to float at once, and
  // what stood below that would wait for it.
  const float origin = to_float(x[first * N]);
  float mean = 0.0f, variance = 0.0f;
  // FILL ME IN: vector_statistics (roughly 13 lines)
  // Sums of squares, but of differences from an element of the row. It lies within sqrt(hidden) deviations of
  // the mean, mostly within three: of a float's 24 bits the subtraction below costs a few, wherever the row
  // lies.
  Sums sums = {};
  for (int k = 0; k < kItems; ++k) {
    if (k * threads + thread >= vectors) break;  // zeros past the end would count as elements
    for (int j = 0; j < N; ++j) {
      const float difference = to_float(row[k].at[j]) - origin;
      sums.values += difference;
      sums.squares += difference * difference;
    }
  }
  sums = block_sums(sums);
  const float moved = sums.values / hidden;  // from origin to the mean
  mean = origin + moved;
  variance = fmaxf(sums.squares / hidden - moved * moved, 0.0f);  // rounding may take it below 0
  // END: vector_statistics

  // FILL ME IN: vector_store (roughly 11 lines)
  const float inv_std = 1.0f / sqrtf(variance + kEpsilon);
  for (int k = 0; k < kItems; ++k) {
    const int i = k * threads + thread;
    if (i >= vectors) break;
    for (int j = 0; j < N; ++j) {
      const float normalized =
          (to_float(row[k].at[j]) - mean) * inv_std * to_float(scale[k].at[j]) + to_float(shift[k].at[j]);
      store_float(row[k].at[j], normalized + to_float(add[k].at[j]));  // rounded here, and only here
    }
    store_vector(out, first + i, row[k]);
  }
  // END: vector_store
}
