// Puzzle 24, Warp sum: out[r][c] = x[r][c] - the mean of row r: every row is centred. For the mean a row has
// to be added up, and every thread that works on the row needs the result.
//   --warp    a warp a row: the lanes hand their sums to each other with shuffles
//   --block   a block a row: first in each warp, then across the warps, with one barrier
//   --tree    a block a row with the tree of Puzzle 12, given in given.cuh, to compare with
// x and out are [rows, columns], row-major. Rows have any length. kWarpSize = 32, kBlockSize = 256.
//
// A shuffle moves a register from one lane of a warp to another. CUDA has, among others:
//   __shfl_down_sync(mask, value, offset)   `value` of the lane with a number higher by `offset`
//   __shfl_xor_sync(mask, value, offset)    `value` of the lane whose number is lane ^ offset
// `mask` has a bit for each lane that makes the call, 0xffffffff for all 32. Every lane named there must make
// the same call, and none may stay away.
#include <cuda_runtime.h>

constexpr unsigned kAllLanes = 0xffffffffu;

// The sum of `value` over the 32 lanes of a warp, in every lane. All 32 must call it together.
__device__ inline float warp_sum(float value) {
  // FILL ME IN: warp_sum (roughly 2 lines)
  // 16, 8, 4, 2, 1: after each round a lane's value is the sum of twice as many lanes. No shared memory, and
  // no barrier: the lanes of the mask meet at the shuffle itself.
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync(kAllLanes, value, offset);
  // END: warp_sum
  return value;
}

// Grid of ceil(rows / kWarpsPerBlock) blocks: warp w of block b owns row b * kWarpsPerBlock + w.
__global__ void center_warp_kernel(float* out, const float* x, int rows, int columns) {
  const int lane = threadIdx.x % kWarpSize;
  const int row = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpSize;
  if (row >= rows) return;  // all lanes of a warp have the same row: they leave together or stay together
  // FILL ME IN: warp_row (roughly 4 lines)
  float sum = 0.0f;
  // Lanes side by side: coalesced. A lane past the end of a short row keeps 0 and still takes part.
  for (int c = lane; c < columns; c += kWarpSize) sum += x[row * columns + c];
  const float mean = warp_sum(sum) / columns;
  for (int c = lane; c < columns; c += kWarpSize) out[row * columns + c] = x[row * columns + c] - mean;
  // END: warp_row
}

// The sum of `value` over all threads of the block, in every thread. All of them must call it, and once only:
// a second call would overwrite what slower warps still read.
__device__ inline float block_sum(float value) {
  __shared__ float warp_sums[kWarpsPerBlock];
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  // FILL ME IN: block_sum (roughly 4 lines)
  const float own = warp_sum(value);
  if (lane == 0) warp_sums[warp] = own;  // the condition is around the store, not around the call
  __syncthreads();                       // the only one: the sums of the other warps are there
  // Every warp adds up the eight sums for itself. If one warp did, the others would need a second barrier to
  // wait for it behind.
  value = warp_sum(lane < kWarpsPerBlock ? warp_sums[lane] : 0.0f);
  // END: block_sum
  return value;
}

// Grid of `rows` blocks: block r owns row r.
__global__ void center_block_kernel(float* out, const float* x, int columns) {
  const float* row = x + blockIdx.x * columns;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kBlockSize) sum += row[c];
  const float mean = block_sum(sum) / columns;
  for (int c = threadIdx.x; c < columns; c += kBlockSize) out[blockIdx.x * columns + c] = row[c] - mean;
}
