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
  const float* row = x + position * hidden;
  float sum = 0.0f, sum_of_squares = 0.0f;
  for (int k = 0; k < hidden; ++k) {
    sum += row[k];
    sum_of_squares += row[k] * row[k];
  }
  const float mean = sum / hidden;
  // One pass, at a price: two nearly equal numbers are subtracted when |mean| is much larger than sigma.
  const float variance = sum_of_squares / hidden - mean * mean;
  const float inv_std = 1.0f / sqrtf(variance + kEpsilon);
  normalized[position * hidden + h] = (row[h] - mean) * inv_std * gamma[h] + beta[h];
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
  const float* row = x + position * hidden;
  float sum = 0.0f, sum_of_squares = 0.0f;
  for (int h = 0; h < hidden; ++h) {
    sum += row[h];
    sum_of_squares += row[h] * row[h];
  }
  const float mean = sum / hidden;
  const float variance = sum_of_squares / hidden - mean * mean;
  const float inv_std = 1.0f / sqrtf(variance + kEpsilon);
  // END: fused_statistics

  // FILL ME IN: fused_outputs (roughly 10 lines)
  for (int o = 0; o < outputs; ++o) {
    float total = bias[o];
    for (int h = 0; h < hidden; ++h) {
      // Normalised again for every output: there is no place to keep `hidden` values in one thread.
      const float normalized = (row[h] - mean) * inv_std * gamma[h] + beta[h];
      total += weight[o * hidden + h] * normalized;
    }
    y[position * outputs + o] = total;
  }
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
  const int warp = threadIdx.x / kWarpSize;
  const int lane = threadIdx.x % kWarpSize;
  const int position = blockIdx.x * kRowsPerBlock + warp;
  float* row = shared_rows + warp * hidden;
  float sum = 0.0f;
  for (int h = lane; h < hidden; h += kWarpSize) {  // lanes side by side: coalesced
    row[h] = position < positions ? x[position * hidden + h] : 0.0f;
    sum += row[h];
  }
  const float mean = warp_sum(sum) / hidden;
  // The row is at hand, so a second pass is cheap: no cancellation, however far the mean is from 0.
  float squares = 0.0f;
  for (int h = lane; h < hidden; h += kWarpSize) squares += (row[h] - mean) * (row[h] - mean);
  const float inv_std = 1.0f / sqrtf(warp_sum(squares) / hidden + kEpsilon);
  for (int h = lane; h < hidden; h += kWarpSize) row[h] = (row[h] - mean) * inv_std * gamma[h] + beta[h];
  // END: fused_block_rows

  // FILL ME IN: fused_block_outputs (roughly 20 lines)
  __syncthreads();  // from here on a warp reads rows that other warps wrote
  for (int o = warp * kOutputsPerWarp; o < outputs; o += kWarpsPerBlock * kOutputsPerWarp) {
    float partial[kRowsPerBlock][kOutputsPerWarp] = {};  // in registers: both loops below are unrolled
    for (int h = lane; h < hidden; h += kWarpSize) {
      float w[kOutputsPerWarp];
      for (int j = 0; j < kOutputsPerWarp; ++j) w[j] = o + j < outputs ? weight[(o + j) * hidden + h] : 0.0f;
      for (int r = 0; r < kRowsPerBlock; ++r)
        for (int j = 0; j < kOutputsPerWarp; ++j) partial[r][j] += shared_rows[r * hidden + h] * w[j];
    }
    float mine = 0.0f;  // 8 rows times 4 outputs are 32 sums: lane l keeps row l / 4, output l % 4
    for (int r = 0; r < kRowsPerBlock; ++r)
      for (int j = 0; j < kOutputsPerWarp; ++j) {
        const float total = warp_sum(partial[r][j]);
        if (lane == r * kOutputsPerWarp + j) mine = total;
      }
    const int to_position = blockIdx.x * kRowsPerBlock + lane / kOutputsPerWarp;
    const int to_output = o + lane % kOutputsPerWarp;
    if (to_position < positions && to_output < outputs)
      y[to_position * outputs + to_output] = mine + bias[to_output];
  }
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
      const float shifted = xs[i] - shift;
      sum += shifted;
      squares += shifted * shifted;
      x_tile[buffer][k + i][row] = shifted;
      const float scaled = ws[i] * gammas[i];
      gamma_sum += scaled;
      beta_sum += ws[i] * betas[i];
      w_tile[buffer][k + i][row] = scaled;
      // END: tiled_store
    }
  };

  float sums[kThreadTile][kThreadTile] = {};  // in registers, if every index is known when it is compiled
  const auto multiply = [&](int buffer) {
#pragma unroll
    for (int line = 0; line < kBlockDepth; ++line) {
      // FILL ME IN: tiled_product (roughly 8 lines)
      float a[kThreadTile], b[kThreadTile];
      read_eight(a, x_tile[buffer][line], tile_row(0), tile_row(4));
      read_eight(b, w_tile[buffer][line], tile_column(0), tile_column(4));
      // 16 values from shared memory, 64 multiply-adds: four for each value, where one result a thread has
      // half.
#pragma unroll
      for (int i = 0; i < kThreadTile; ++i)
#pragma unroll
        for (int j = 0; j < kThreadTile; ++j) sums[i][j] += a[i] * b[j];
      // END: tiled_product
    }
  };

  // FILL ME IN: tiled_loop (roughly 12 lines)
  fetch(0);
  store(0);
  __syncthreads();
  int now = 0;  // the buffer to multiply from
  for (int first = 0; first < hidden; first += kBlockDepth) {
    const bool more = first + kBlockDepth < hidden;
    if (more) fetch(first + kBlockDepth);  // on its way during the product: nothing asks for it until store
    multiply(now);
    if (more) store(1 - now);  // everybody has left that buffer: it was multiplied before the last barrier
    __syncthreads();           // the other buffer is complete, and this one is free
    now = 1 - now;
  }
  // END: tiled_loop

  // FILL ME IN: tiled_statistics (roughly 12 lines)
  // Two neighbouring lanes have half of a row each.
  sum += __shfl_xor_sync(0xffffffffu, sum, 1);
  squares += __shfl_xor_sync(0xffffffffu, squares, 1);
  gamma_sum += __shfl_xor_sync(0xffffffffu, gamma_sum, 1);
  beta_sum += __shfl_xor_sync(0xffffffffu, beta_sum, 1);
  if (threadIdx.x % 2 == 0) {
    const float mean = sum / hidden;
    row_mean[row] = mean;
    // The mean is within a few deviations of 0: little cancels. Rounding may still take 0 below 0.
    row_inv_std[row] = 1.0f / sqrtf(fmaxf(squares / hidden - mean * mean, 0.0f) + kEpsilon);
    w_gamma[row] = gamma_sum;
    w_beta[row] = beta_sum + bias[output];
  }
  __syncthreads();  // a thread needs the statistics of eight positions and eight outputs
  // END: tiled_statistics

  // FILL ME IN: tiled_outputs (roughly 10 lines)
#pragma unroll
  for (int i = 0; i < kThreadTile; ++i) {
    const int r = tile_row(i);
    float results[kThreadTile];
#pragma unroll
    for (int j = 0; j < kThreadTile; ++j) {
      const int c = tile_column(j);
      results[j] = row_inv_std[r] * (sums[i][j] - row_mean[r] * w_gamma[c]) + w_beta[c];
    }
    if (first_position + r < positions)
      write_eight(y + (first_position + r) * outputs, first_output + tile_column(0),
                  first_output + tile_column(4), outputs, results);
  }
  // END: tiled_outputs
}
