// Puzzle 37, Softmax again: y[r][c] = exp(x[r][c] - max of row r) / the sum of these exponentials of row r.
//   --five       as an eager framework: maximum, difference, exponential, sum, quotient; each a launch, a
//   pass
//   --three      maximum; sum of the exponentials; result: three passes over x, nothing large in between
//   --online     one launch, one pass: maximum and sum together, the row kept in shared memory meanwhile
//   --registers  one launch, one pass, the row kept in registers
// x and y are [rows, columns], row-major. In every kernel block r has row r, and a row may be longer than the
// block: a thread begins at its own number and goes on by kBlockSize. What a whole row shares (its maximum,
// its sum) is read once, into a variable. Some elements may be -infinity (masked out), but never all of a
// row.
//
// From given.cuh:
//   block_max(v), block_sum(v)  over all threads of the block, in every thread; all of them have to call it
//   kLowest                     the maximum of no numbers
//   Partial                     {maximum, sum} of a part of a row
#include <cuda_runtime.h>

#include "given.cuh"

// --five and --three, pass 1: maxima[r] = the largest element of row r.
__global__ void row_max_kernel(float* maxima, const float* x, int columns) {
  const float* row = x + blockIdx.x * columns;
  // FILL ME IN: row_max (roughly 4 lines)
  float largest = kLowest;  // not 0: a row may be negative throughout
  for (int c = threadIdx.x; c < columns; c += kBlockSize) largest = fmaxf(largest, row[c]);
  largest = block_max(largest);
  if (threadIdx.x == 0) maxima[blockIdx.x] = largest;
  // END: row_max
}

// --three, pass 2: sums[r] = the sum of exp(x - maximum) over row r. The exponentials themselves are not
// stored: to compute them once more in pass 3 is cheaper than to write and read them.
__global__ void row_sum_exp_kernel(float* sums, const float* x, const float* maxima, int columns) {
  const float* row = x + blockIdx.x * columns;
  // FILL ME IN: row_sum_exp (roughly 5 lines)
  const float largest = maxima[blockIdx.x];
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kBlockSize) sum += expf(row[c] - largest);
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  // END: row_sum_exp
}

// --three, pass 3.
__global__ void normalize_kernel(float* y, const float* x, const float* maxima, const float* sums,
                                 int columns) {
  const float* row = x + blockIdx.x * columns;
  // FILL ME IN: normalize (roughly 4 lines)
  const float largest = maxima[blockIdx.x];
  const float sum = sums[blockIdx.x];
  for (int c = threadIdx.x; c < columns; c += kBlockSize)
    y[blockIdx.x * columns + c] = expf(row[c] - largest) / sum;
  // END: normalize
}

// What is known of the elements of a and of b together.
__device__ inline Partial merge(Partial a, Partial b) {
  // FILL ME IN: merge (roughly 3 lines)
  // Each sum was made for its own maximum m; exp(x - maximum) is exp(x - m) exp(m - maximum). One of the two
  // factors is 1. The other is below 1, however large the numbers: nothing can overflow.
  const float maximum = fmaxf(a.maximum, b.maximum);
  a.sum = a.sum * expf(a.maximum - maximum) + b.sum * expf(b.maximum - maximum);
  a.maximum = maximum;
  // END: merge
  return a;
}

// What is known of the elements of all 32 lanes, in every lane. All of them call it together.
__device__ inline Partial warp_merge(Partial own) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2) {
    // FILL ME IN: warp_merge (roughly 3 lines)
    // Two registers, two shuffles, and both before either is changed: the partner's sum belongs to the
    // partner's maximum.
    const float maximum = __shfl_xor_sync(kAllLanes, own.maximum, offset);
    const float sum = __shfl_xor_sync(kAllLanes, own.sum, offset);
    own = merge(own, {maximum, sum});
    // END: warp_merge
  }
  return own;
}

// The same over all threads of the block, as block_sum does it for sums.
__device__ inline Partial block_merge(Partial own) {
  __shared__ Partial of_warp[kWarpSize];
  const int lane = threadIdx.x % kWarpSize, warps = blockDim.x / kWarpSize;
  own = warp_merge(own);
  if (lane == 0) of_warp[threadIdx.x / kWarpSize] = own;
  __syncthreads();
  return warp_merge(lane < warps ? of_warp[lane] : Partial{kLowest, 0.0f});
}

// --online: `kept` is shared memory for one row.
__global__ void online_kernel(float* y, const float* x, int columns) {
  extern __shared__ float kept[];
  const float* row = x + blockIdx.x * columns;
  // FILL ME IN: online (roughly 9 lines)
  Partial own{kLowest, 0.0f};
  for (int c = threadIdx.x; c < columns; c += kBlockSize) {
    const float value = row[c];  // the only time that it comes from memory
    kept[c] = value;
    own = merge(own, {value, 1.0f});
  }
  const Partial all = block_merge(own);
  // A thread reads what it stored itself, so no barrier has to stand before this.
  for (int c = threadIdx.x; c < columns; c += kBlockSize)
    y[blockIdx.x * columns + c] = expf(kept[c] - all.maximum) / all.sum;
  // END: online
}

// --registers: x and y as float4, `vectors` of them a row; a thread keeps up to kVectors, kRowThreads apart.
// The number is a template argument because only an array whose indices the compiler knows lies in registers,
// and so each loop over it is unrolled. A block of 512 threads with up to 64 registers each: two of them fit
// an SM.
template <int kVectors>
__global__ void __launch_bounds__(kRowThreads, 2) registers_kernel(float4* y, const float4* x, int vectors) {
  const float4* row = x + blockIdx.x * vectors;
  float4 kept[kVectors];
#pragma unroll
  for (int k = 0; k < kVectors; ++k) {
    const int c = threadIdx.x + k * kRowThreads;
    kept[k] = c < vectors ? row[c] : float4{-INFINITY, -INFINITY, -INFINITY, -INFINITY};  // exp of it is 0
  }
  Partial own{kLowest, 0.0f};
  float factor = 0.0f;
  // FILL ME IN: registers (roughly 8 lines)
  // The thread's own maximum first: then each element costs one exp, where merging it in would cost two.
#pragma unroll
  for (const float4& v : kept) own.maximum = fmaxf(own.maximum, max_of(v));
#pragma unroll
  for (float4& v : kept) {
    v = exp_of(v, own.maximum);
    own.sum += sum_of(v);
  }
  const Partial all = block_merge(own);
  // The exponentials are for the thread's maximum: corrected in the same product that divides.
  factor = expf(own.maximum - all.maximum) / all.sum;
  // END: registers
#pragma unroll
  for (int k = 0; k < kVectors; ++k) {
    const int c = threadIdx.x + k * kRowThreads;
    if (c < vectors) y[blockIdx.x * vectors + c] = scaled(kept[k], factor);
  }
}
