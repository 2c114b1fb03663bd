// Puzzle 22, LayerNorm + Linear: y = W (gamma * (x - mean) / sqrt(variance + eps) + beta) + b for each
// of the B*S positions, each a row of `hidden` floats.
//   --unfused      layernorm_kernel, then three kernels of given.cuh: four launches, three tensors between
//   --fused        minimal_fused_kernel: one launch, one thread a position
//   --fused-block  fused_block_kernel: one launch, 256 threads share eight positions
//   --fused-tiled  fused_tiled_kernel: one launch, 128 threads share 126 positions x 128 outputs
// and the gradients of all that y is made of, from dy, the gradient of y:
//   --backward-unfused    backward_columns_kernel, backward_dx_kernel, and four launches of backward.cuh
//   --backward-fused      backward_fused_kernel between the two products
//   --backward-two-stage  backward_parts_kernel in its place: no atomics for dgamma and dbeta
// All tensors are row-major: x [B,S,H], gamma, beta [H], weight [O,H], bias [O], y [B,S,O].
// kEpsilon, kWarpSize, kRowsPerBlock and warp_sum come from given.cuh.
#include <cuda_runtime.h>

#include "backward.cuh"
#include "given.cuh"

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

// kRowsPerBlock is 8, and not 1: why, is a question under Predict in the chapter. Count what a block has to
// read, and then what all blocks read together.
constexpr int kWarpsPerBlock = kRowsPerBlock;  // a warp normalises a row
// Four outputs at a time: each value read from shared memory serves four multiply-adds, each weight eight.
constexpr int kOutputsPerWarp = 4;
static_assert(kRowsPerBlock * kOutputsPerWarp == kWarpSize, "each lane ends with exactly one output");

// The normalised rows of a block, [kRowsPerBlock][hidden]; the launch says how many bytes that is.
extern __shared__ float shared_rows[];

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

// A block computes 126 positions x 128 outputs, and no row is ever normalised. Mean and deviation are known
// when all of x has passed by, and are applied to the finished sums:
//   y = inv_std * (sum of (x - shift) * gamma * w  -  mean * sum of gamma * w) + sum of beta * w + bias
// with mean the mean of x - shift. Any shift would do; the row's own first element keeps that mean within a
// few deviations of 0, so that little cancels. The other two sums are products with w as well: of gamma, and
// of beta. So these two lie below the positions as two more rows of the tile, and the product makes the sums
// by the way.
template <bool kVectors>
__device__ inline void fused_tiled(FusedTiles& tiles, float* y, const float* x, const float* gamma,
                                   const float* beta, const float* weight, const float* bias, int positions,
                                   int hidden, int outputs) {
  // What this thread loads: elements k to k + 3 of two rows of the x tile and of two outputs; its neighbour
  // has the other four of eight. Past the end it loads the last row once more, which nobody stores.
  const int k = threadIdx.x % 2 * 4;
  const int first_row = threadIdx.x / 2, rows[2] = {first_row, first_row + kTileRows / 2};
  const int first_position = blockIdx.y * kTilePositions, first_output = blockIdx.x * kTileColumns;
  const float *x_rows[2], *w_rows[2];
  float shifts[2];
  bool is_position[2];
#pragma unroll
  for (int n = 0; n < 2; ++n) {
    is_position[n] = rows[n] < kTilePositions;
    x_rows[n] = x + min(first_position + rows[n], positions - 1) * hidden;
    if (!is_position[n]) x_rows[n] = rows[n] == kGammaRow ? gamma : beta;
    w_rows[n] = weight + min(first_output + rows[n], outputs - 1) * hidden;
    shifts[n] = is_position[n] ? x_rows[n][0] : 0.0f;
  }

  float next_x[2][4], next_w[2][4], next_gamma[4];
  const auto fetch = [&](int first) {
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      load_four<kVectors>(next_x[n], x_rows[n], first + k, hidden, shifts[n]);  // past the end x - shift is 0
      load_four<kVectors>(next_w[n], w_rows[n], first + k, hidden, 0.0f);
    }
    load_four<kVectors>(next_gamma, gamma, first + k, hidden, 0.0f);
  };
  const auto store_w = [&](int buffer) {
#pragma unroll
    for (int n = 0; n < 2; ++n)
#pragma unroll
      for (int i = 0; i < 4; ++i) tiles.w[buffer][k + i][rows[n]] = next_w[n][i];
  };
  float sums_of_x[2] = {}, squares[2] = {};  // of x - shift
  const auto store_x = [&](int buffer) {
#pragma unroll
    for (int n = 0; n < 2; ++n)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        // FILL ME IN: tiled_store (roughly 4 lines)
        const float shifted = next_x[n][i] - shifts[n];
        sums_of_x[n] += shifted;
        squares[n] += shifted * shifted;
        tiles.x[buffer][k + i][rows[n]] = is_position[n] ? shifted * next_gamma[i] : shifted;
        // END: tiled_store
      }
  };

  float sums[kThreadRows][kThreadColumns] = {};  // in registers, if every index is known when it is compiled
  const auto multiply = [&](int buffer, int from, int to) {  // lines `from` to `to` - 1 of the tiles
#pragma unroll
    for (int line = from; line < to; ++line) {
      // FILL ME IN: tiled_product (roughly 9 lines)
      // 24 values from shared memory for 128 multiply-adds: with one result a thread it would be 256.
      float a[kThreadRows], b[kThreadColumns];
#pragma unroll
      for (int i = 0; i < kThreadRows; i += 4) read_four(a + i, tiles.x[buffer][line], tile_row(i));
#pragma unroll
      for (int j = 0; j < kThreadColumns; j += 4) read_four(b + j, tiles.w[buffer][line], tile_column(j));
#pragma unroll
      for (int i = 0; i < kThreadRows; ++i)
#pragma unroll
        for (int j = 0; j < kThreadColumns; ++j) sums[i][j] += a[i] * b[j];
      // END: tiled_product
    }
  };

  // FILL ME IN: tiled_loop (roughly 18 lines)
  fetch(0);
  store_w(0);
  store_x(0);
  fetch(kTileDepth);
  __syncthreads();
  int now = 0;  // the buffer to multiply from
  for (int first = 0; first < hidden; first += kTileDepth) {
    // Stored into the buffer that everybody has left, and between the lines of the product: there are
    // multiply-adds to go on with while a store or a load is on its way.
    multiply(now, 0, 3);
    store_w(1 - now);
    multiply(now, 3, 5);
    store_x(1 - now);
    multiply(now, 5, 7);
    // Asked for here, what the next round stores has half a product's time to come. Past the end there are
    // only zeros, which change nothing: cheaper than to ask in every round whether there is more.
    fetch(first + 2 * kTileDepth);
    multiply(now, 7, kTileDepth);
    __syncthreads();  // the other buffer is complete, and this one is free
    now = 1 - now;
  }
  // END: tiled_loop

  // FILL ME IN: tiled_statistics (roughly 19 lines)
#pragma unroll
  for (int n = 0; n < 2; ++n) {
    // Two neighbouring lanes have half of a row each.
    const float sum = sums_of_x[n] + __shfl_xor_sync(0xffffffffu, sums_of_x[n], 1);
    const float sum_of_squares = squares[n] + __shfl_xor_sync(0xffffffffu, squares[n], 1);
    if (k == 0) {
      const float mean = sum / hidden;
      tiles.row_mean[rows[n]] = mean;
      // The mean is within a few deviations of 0: little cancels. Rounding may still take 0 below 0.
      tiles.row_inv_std[rows[n]] =
          1.0f / sqrtf(fmaxf(sum_of_squares / hidden - mean * mean, 0.0f) + kEpsilon);
    }
  }
  if (tile_row(7) == kBetaRow)  // then tile_row(6) is kGammaRow
#pragma unroll
    for (int j = 0; j < kThreadColumns; ++j) {
      const int c = tile_column(j);
      tiles.w_gamma[c] = sums[6][j];
      tiles.w_beta[c] = sums[7][j] + bias[min(first_output + c, outputs - 1)];
    }
  __syncthreads();  // a thread needs the statistics of eight rows, and two sums of sixteen outputs
  // END: tiled_statistics

  // FILL ME IN: tiled_outputs (roughly 17 lines)
#pragma unroll
  for (int i = 0; i < kThreadRows; ++i) {
    const int r = tile_row(i);
    if (r >= kTilePositions || first_position + r >= positions) continue;
#pragma unroll
    for (int j = 0; j < kThreadColumns; j += 4) {
      float results[4];
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        const int c = tile_column(j + n);
        results[n] =
            tiles.row_inv_std[r] * (sums[i][j + n] - tiles.row_mean[r] * tiles.w_gamma[c]) + tiles.w_beta[c];
      }
      write_four<kVectors>(y + (first_position + r) * outputs, first_output + tile_column(j), outputs,
                           results);
    }
  }
  // END: tiled_outputs
}

// Grid (ceil(outputs / 128), ceil(positions / 126)).
__global__ void __launch_bounds__(kTileThreads, kTileBlocks)
    fused_tiled_kernel(float* y, const float* x, const float* gamma, const float* beta, const float* weight,
                       const float* bias, int positions, int hidden, int outputs) {
  __shared__ FusedTiles tiles;
  if (hidden % 4 == 0 && outputs % 4 == 0)
    fused_tiled<true>(tiles, y, x, gamma, beta, weight, bias, positions, hidden, outputs);
  else
    fused_tiled<false>(tiles, y, x, gamma, beta, weight, bias, positions, hidden, outputs);
}

// --- The gradients ---
// dy is the gradient of y: how much a loss grows with each element of y. What follows has the gradients of
// all that y was made of. The products are given (backward.cuh): dn = dy W, the gradient of the normalised
// rows n, and dW = dy^T n; db adds up dy over the positions. With xhat = (x - mean) * inv_std, so n = gamma *
// xhat + beta:
//   dgamma_h = sum over positions of dn * xhat      dbeta_h = sum over positions of dn
//   dx = inv_std * (g - mean of g - xhat * mean of (g * xhat)),  g = dn * gamma, the means over the row

// dgamma and dbeta. Grid ceil(hidden / 32), block (32, 32): the x of a thread is its column, as in
// column_sums_kernel (backward.cuh), which adds up one thing where this adds up two.
__global__ void backward_columns_kernel(float* dgamma, float* dbeta, const float* dn, const float* x,
                                        const float* mean, const float* inv_std, int positions, int hidden) {
  __shared__ float gamma_part[kWarpSize][kWarpSize + 1], beta_part[kWarpSize][kWarpSize + 1];
  const int h = blockIdx.x * kWarpSize + threadIdx.x;
  // FILL ME IN: backward_columns (roughly 17 lines)
  float gamma_sum = 0.0f, beta_sum = 0.0f;
  if (h < hidden)
    for (int position = threadIdx.y; position < positions; position += kWarpSize) {
      const float gradient = dn[position * hidden + h];
      gamma_sum += gradient * (x[position * hidden + h] - mean[position]) * inv_std[position];
      beta_sum += gradient;
    }
  gamma_part[threadIdx.y][threadIdx.x] = gamma_sum;
  beta_part[threadIdx.y][threadIdx.x] = beta_sum;
  __syncthreads();  // from here on a warp has the 32 parts of one column, which 32 warps have stored
  const float gamma_total = warp_sum(gamma_part[threadIdx.x][threadIdx.y]);
  const float beta_total = warp_sum(beta_part[threadIdx.x][threadIdx.y]);
  const int to = blockIdx.x * kWarpSize + threadIdx.y;
  if (threadIdx.x == 0 && to < hidden) {
    dgamma[to] = gamma_total;
    dbeta[to] = beta_total;
  }
  // END: backward_columns
}

// dx, a warp a row. Grid ceil(positions / kRowsPerBlock), kRowsPerBlock warps a block.
__global__ void backward_dx_kernel(float* dx, const float* dn, const float* x, const float* mean,
                                   const float* inv_std, const float* gamma, int positions, int hidden) {
  const int position = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarpSize;
  const int lane = threadIdx.x % kWarpSize;
  if (position >= positions) return;  // the whole warp: it has one row
  const float* x_row = x + position * hidden;
  const float* dn_row = dn + position * hidden;
  // FILL ME IN: backward_dx (roughly 15 lines)
  const float row_mean = mean[position], row_inv_std = inv_std[position];
  float g_sum = 0.0f, gx_sum = 0.0f;
  for (int h = lane; h < hidden; h += kWarpSize) {
    const float g = dn_row[h] * gamma[h];
    g_sum += g;
    gx_sum += g * (x_row[h] - row_mean) * row_inv_std;
  }
  const float g_mean = warp_sum(g_sum) / hidden;
  const float gx_mean = warp_sum(gx_sum) / hidden;
  // x moves its whole row: mean and deviation change with it. The two means take that back.
  for (int h = lane; h < hidden; h += kWarpSize) {
    const float xhat = (x_row[h] - row_mean) * row_inv_std;
    dx[position * hidden + h] = row_inv_std * (dn_row[h] * gamma[h] - g_mean - xhat * gx_mean);
  }
  // END: backward_dx
}

// A block's share of the rows, kRowsPerShare of them, eight at a time: x and dn come from memory once. First
// a warp a row, for what has to be known of a row; then a thread a column, for dx and for what the rows of
// this block add to dgamma and dbeta. A column belongs to one thread of the block from beginning to end, so
// its sums in shared memory need neither barrier nor atomic.
__device__ inline void backward_rows(float* dx, float* mean, float* inv_std, float* gamma_sums,
                                     float* beta_sums, const float* dn, const float* x, const float* gamma,
                                     int positions, int hidden) {
  __shared__ float row_mean[kRowsPerBlock], row_inv_std[kRowsPerBlock];
  __shared__ float g_mean[kRowsPerBlock], gx_mean[kRowsPerBlock];
  const int warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  for (int h = threadIdx.x; h < hidden; h += blockDim.x) gamma_sums[h] = beta_sums[h] = 0.0f;
  const int begin = blockIdx.x * kRowsPerShare, end = min(begin + kRowsPerShare, positions);
  for (int first = begin; first < end; first += kRowsPerBlock) {
    // FILL ME IN: backward_means (roughly 24 lines)
    const int position = first + warp;
    if (position < end) {
      const float* x_row = x + position * hidden;
      const float* dn_row = dn + position * hidden;
      float sum = 0.0f, squares = 0.0f, g_sum = 0.0f, gx_sum = 0.0f;
      for (int h = lane; h < hidden; h += kWarpSize) sum += x_row[h];
      sum = warp_sum(sum) / hidden;
      for (int h = lane; h < hidden; h += kWarpSize) {
        const float centred = x_row[h] - sum, g = dn_row[h] * gamma[h];
        squares += centred * centred;
        g_sum += g;
        gx_sum += g * centred;  // times inv_std when that is known: it is the same for the whole row
      }
      const float scale = 1.0f / sqrtf(warp_sum(squares) / hidden + kEpsilon);
      g_sum = warp_sum(g_sum) / hidden;
      gx_sum = warp_sum(gx_sum) / hidden * scale;
      if (lane == 0) {
        row_mean[warp] = mean[position] = sum;
        row_inv_std[warp] = inv_std[position] = scale;
        g_mean[warp] = g_sum;
        gx_mean[warp] = gx_sum;
      }
    }
    __syncthreads();  // from here on a thread needs what the warps found out about all eight rows
    // END: backward_means

    // FILL ME IN: backward_elements (roughly 14 lines)
    for (int h = threadIdx.x; h < hidden; h += blockDim.x) {
#pragma unroll
      for (int r = 0; r < kRowsPerBlock;
           ++r) {  // unrolled: the loads of all eight rows are on their way at once
        if (first + r >= end) continue;
        const int i = (first + r) * hidden + h;
        const float xhat = (x[i] - row_mean[r]) * row_inv_std[r];
        dx[i] = row_inv_std[r] * (dn[i] * gamma[h] - g_mean[r] - xhat * gx_mean[r]);
        gamma_sums[h] += dn[i] * xhat;
        beta_sums[h] += dn[i];
      }
    }
    __syncthreads();  // the next eight rows take the place of these
    // END: backward_elements
  }
}

// Grid ceil(positions / kRowsPerShare). Every block adds its sums to dgamma and dbeta, which a memset has
// made 0 before the launch.
__global__ void backward_fused_kernel(float* dx, float* dgamma, float* dbeta, float* mean, float* inv_std,
                                      const float* dn, const float* x, const float* gamma, int positions,
                                      int hidden) {
  float* gamma_sums = shared_rows;
  float* beta_sums = shared_rows + hidden;
  backward_rows(dx, mean, inv_std, gamma_sums, beta_sums, dn, x, gamma, positions, hidden);
  // FILL ME IN: backward_atomics (roughly 4 lines)
  for (int h = threadIdx.x; h < hidden; h += blockDim.x) {
    atomicAdd(&dgamma[h], gamma_sums[h]);
    atomicAdd(&dbeta[h], beta_sums[h]);
  }
  // END: backward_atomics
}

// The same without atomics: row blockIdx.x of gamma_parts and of beta_parts takes this block's sums, and
// column_sums_kernel adds them up in a launch of its own. The order is then always the same, and so is the
// result.
__global__ void backward_parts_kernel(float* dx, float* gamma_parts, float* beta_parts, float* mean,
                                      float* inv_std, const float* dn, const float* x, const float* gamma,
                                      int positions, int hidden) {
  float* gamma_sums = shared_rows;
  float* beta_sums = shared_rows + hidden;
  backward_rows(dx, mean, inv_std, gamma_sums, beta_sums, dn, x, gamma, positions, hidden);
  // FILL ME IN: backward_parts (roughly 4 lines)
  for (int h = threadIdx.x; h < hidden; h += blockDim.x) {
    gamma_parts[blockIdx.x * hidden + h] = gamma_sums[h];
    beta_parts[blockIdx.x * hidden + h] = beta_sums[h];
  }
  // END: backward_parts
}
