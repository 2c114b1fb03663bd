// Puzzle 22, LayerNorm + Linear: y = W (gamma * (x - mean) / sqrt(variance + eps) + beta) + b for each
// of the B*S positions, each a row of `hidden` floats.
//   --unfused      layernorm_kernel, then three kernels of given.cuh: four launches, three tensors between
//   --fused        minimal_fused_kernel: one launch, one thread a position
//   --fused-block  fused_block_kernel: one launch, 256 threads share eight positions
//   --fused-tiled  fused_tiled_kernel: one launch, 256 threads share 128 positions x 128 outputs
// All tensors are row-major: x [B,S,H], gamma, beta [H], weight [O,H], bias [O], y [B,S,O].
#include <cuda_runtime.h>

#include "given.cuh"

// Inside the square root: it keeps a row of equal values (variance 0) from dividing by 0.
constexpr float kEpsilon = 1e-5f;

// Grid (B, S), a block of `hidden` threads (so hidden <= 1024): the block owns a row, the thread one
// element of it. Every thread adds up the whole row for itself: simple, and `hidden` times the work. The
// 32 lanes of a warp read the same address together, which costs one request and not 32.
__global__ void layernorm_kernel(float* normalized, const float* x, const float* gamma, const float* beta,
                                 int positions, int hidden) {
  const int position = blockIdx.x * gridDim.y + blockIdx.y;  // b * S + s
  const int h = threadIdx.x;
  if (position >= positions || h >= hidden) return;
  // FILL ME IN: layernorm (roughly 11 lines)
  // END: layernorm
}

// Grid (B, S), ONE thread a block: it computes all outputs of its position. Nothing travels through memory
// between the two steps, so three tensors and three launches are gone. Is it faster? The chapter asks you to
// predict that (`workbook book 22`) before a run answers it.
__global__ void minimal_fused_kernel(float* y, const float* x, const float* gamma, const float* beta,
                                     const float* weight, const float* bias, int positions, int hidden,
                                     int outputs) {
  const int position = blockIdx.x * gridDim.y + blockIdx.y;
  if (position >= positions) return;
  // FILL ME IN: fused_statistics (roughly 10 lines)
  // END: fused_statistics

  // FILL ME IN: fused_outputs (roughly 10 lines)
  // END: fused_outputs
}

constexpr int kWarpSize = 32;
// Eight rows a block, and not one: why, is a question under Predict in the chapter. Count what a block has
// to read, and then what all blocks read together.
constexpr int kRowsPerBlock = 8;
constexpr int kWarpsPerBlock = kRowsPerBlock;  // a warp normalises a row
// Four outputs at a time: each value read from shared memory serves four multiply-adds, each weight eight.
constexpr int kOutputsPerWarp = 4;
static_assert(kRowsPerBlock * kOutputsPerWarp == kWarpSize, "each lane ends with exactly one output");

// The normalised rows of a block, [kRowsPerBlock][hidden]; the launch says how many bytes that is.
extern __shared__ float shared_rows[];

// The sum of `value` over the 32 lanes of a warp, in every lane. All 32 must call it together. Shuffles
// move registers between lanes: no shared memory and no barrier (Puzzle 24 builds this step by step).
__device__ inline float warp_sum(float value) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// Grid of ceil(positions / kRowsPerBlock) blocks, each of kWarpsPerBlock warps. First each warp normalises
// one row into shared memory, then each warp computes four outputs of all eight rows, then the next four.
// The last block may own rows past the end: they must be filled (with anything finite) and never stored.
__global__ void fused_block_kernel(float* y, const float* x, const float* gamma, const float* beta,
                                   const float* weight, const float* bias, int positions, int hidden,
                                   int outputs) {
  // FILL ME IN: fused_block_rows (roughly 16 lines)
  // END: fused_block_rows

  // FILL ME IN: fused_block_outputs (roughly 20 lines)
  // END: fused_block_outputs
}

// Grid (ceil(outputs / 128), ceil(positions / 128)): a block computes a tile of y. No row is ever normalised.
// Mean and deviation are known when all of x has passed by, and are applied to the finished sums:
//   y = inv_std * (sum of (x - shift) * w * gamma  -  mean * sum of w * gamma) + sum of w * beta + bias
// with mean the mean of (x - shift). Any shift would do; the row's own first element keeps mean within a few
// deviations of 0, so that little cancels.
__global__ void __launch_bounds__(kBlockThreads, 2)
    fused_tiled_kernel(float* y, const float* x, const float* gamma, const float* beta, const float* weight,
                       const float* bias, int positions, int hidden, int outputs) {
  // Eight elements of H of 128 rows, [k][row]: lanes that read neighbouring rows read neighbouring floats.
  // Two of each, to fill one while the other is multiplied.
  __shared__ __align__(16) float x_tile[2][kBlockDepth][kTileStride];
  __shared__ __align__(16) float w_tile[2][kBlockDepth][kTileStride];
  __shared__ float row_mean[kBlockTile], row_inv_std[kBlockTile];  // by position of the tile
  __shared__ float w_gamma[kBlockTile], w_beta[kBlockTile];        // by output of the tile

  // What this thread loads: elements k to k + 3 of one position and of one output; its neighbour has the
  // other four of the eight. Past the end it loads the last row once more, which nobody stores.
  const int row = threadIdx.x / 2, k = threadIdx.x % 2 * 4;
  const int first_position = blockIdx.y * kBlockTile, first_output = blockIdx.x * kBlockTile;
  const int output = min(first_output + row, outputs - 1);
  const float* x_row = x + min(first_position + row, positions - 1) * hidden;
  const float* w_row = weight + output * hidden;
  const float shift = x_row[0];
  float4 next_x, next_w, next_gamma, next_beta;
  const auto fetch = [&](int first) {
    next_x = load_four(x_row, first + k, hidden, shift);  // past the end x - shift is 0
    next_w = load_four(w_row, first + k, hidden, 0.0f);
    next_gamma = load_four(gamma, first + k, hidden, 0.0f);
    next_beta = load_four(beta, first + k, hidden, 0.0f);
  };

  float sum = 0.0f, squares = 0.0f;         // of x - shift
  float gamma_sum = 0.0f, beta_sum = 0.0f;  // of w * gamma, of w * beta
  const auto store = [&](int buffer) {
    const float xs[4] = {next_x.x, next_x.y, next_x.z, next_x.w};
    const float ws[4] = {next_w.x, next_w.y, next_w.z, next_w.w};
    const float gammas[4] = {next_gamma.x, next_gamma.y, next_gamma.z, next_gamma.w};
    const float betas[4] = {next_beta.x, next_beta.y, next_beta.z, next_beta.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      // FILL ME IN: tiled_store (roughly 8 lines)
      // END: tiled_store
    }
  };

  float sums[kThreadTile][kThreadTile] = {};  // in registers, if every index is known when it is compiled
  const auto multiply = [&](int buffer) {
#pragma unroll
    for (int line = 0; line < kBlockDepth; ++line) {
      // FILL ME IN: tiled_product (roughly 8 lines)
      // END: tiled_product
    }
  };

  // FILL ME IN: tiled_loop (roughly 12 lines)
  // END: tiled_loop

  // FILL ME IN: tiled_statistics (roughly 12 lines)
  // END: tiled_statistics

  // FILL ME IN: tiled_outputs (roughly 10 lines)
  // END: tiled_outputs
}
