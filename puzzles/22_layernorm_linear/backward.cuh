// Puzzle 22, what the gradients are handed, to be read: rows normalised as the forward part does it, the sums
// down the columns of a matrix, and the two matrix products.
#pragma once

#include <cuda_runtime.h>

#include "given.cuh"

// A warp a row: normalized, and the row's mean and inverse deviation. Grid ceil(positions / kRowsPerBlock).
__global__ void normalize_kernel(float* normalized, float* mean, float* inv_std, const float* x,
                                 const float* gamma, const float* beta, int positions, int hidden) {
  const int position = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarpSize;
  const int lane = threadIdx.x % kWarpSize;
  if (position >= positions) return;
  const float* row = x + position * hidden;
  float sum = 0.0f, squares = 0.0f;
  for (int h = lane; h < hidden; h += kWarpSize) sum += row[h];
  const float row_mean = warp_sum(sum) / hidden;
  for (int h = lane; h < hidden; h += kWarpSize) squares += (row[h] - row_mean) * (row[h] - row_mean);
  const float row_inv_std = 1.0f / sqrtf(warp_sum(squares) / hidden + kEpsilon);
  for (int h = lane; h < hidden; h += kWarpSize)
    normalized[position * hidden + h] = (row[h] - row_mean) * row_inv_std * gamma[h] + beta[h];
  if (lane == 0) mean[position] = row_mean, inv_std[position] = row_inv_std;
}

// sums [columns] of in [rows, columns]. Grid ceil(columns / 32), block (32, 32): a warp reads 32 neighbours
// of a row, 32 warps walk down the rows side by side. Their 32 partial sums a column meet in a tile, which is
// read turned round, so that a warp has all parts of one column. Rows of 33: no two lanes meet in a bank.
__global__ void column_sums_kernel(float* sums, const float* in, int rows, int columns) {
  __shared__ float part[kWarpSize][kWarpSize + 1];
  const int column = blockIdx.x * kWarpSize + threadIdx.x;
  float sum = 0.0f;
  if (column < columns)
    for (int row = threadIdx.y; row < rows; row += kWarpSize) sum += in[row * columns + column];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  const float total = warp_sum(part[threadIdx.x][threadIdx.y]);
  const int to = blockIdx.x * kWarpSize + threadIdx.y;
  if (threadIdx.x == 0 && to < columns) sums[to] = total;
}

// Sets up to four arrays to 0: what blocks of a later launch add to. In a launch of its own, because within
// one launch no block knows whether another has begun to add. Any grid.
struct Zeros {
  float* array[4];
  int size[4];
};
__global__ void zero_kernel(Zeros zeros) {
  for (int which = 0; which < 4; ++which)
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < zeros.size[which]; i += gridDim.x * blockDim.x)
      zeros.array[which][i] = 0.0f;
}

// The most blocks of a product: two on each SM of an H200, which has 132. On other GPUs the result is the
// same.
constexpr int kProductBlocks = 132 * kTileBlocks;

// For a product with n = LN(b) in place of b, which never lies in memory: row k of b is normalised as it is
// loaded, (b - mean[k]) * inv_std[k], and gamma and beta are applied to the sums. beta meets the sum of a
// over all k, which for a = dy is db.
struct Normalization {
  const float *mean, *inv_std, *gamma, *beta, *sums_of_a;
};

// What lies in shared memory during a product.
struct ProductTiles {
  __align__(16) float a[2][kTileDepth][kRowStride];
  __align__(16) float b[2][kTileDepth][kColumnStride];
};

// to[0..3] += values[0..3], each of the four atomically. GPUs from compute capability 9.0 on take all four in
// one request; `to` then has to begin at a multiple of 16 bytes.
__device__ inline void add_four(float* to, const float* values) {
#if __CUDA_ARCH__ >= 900
  atomicAdd(reinterpret_cast<float4*>(to), float4{values[0], values[1], values[2], values[3]});
#else
#pragma unroll
  for (int i = 0; i < 4; ++i) atomicAdd(to + i, values[i]);
#endif
}

// c [rows, columns] += a b. b is [inner, columns]; a is [rows, inner] where kAlongInner, else [inner, rows],
// which is multiplied transposed. Tiles, steps and 8 x 16 results a thread as in fused_tiled. But c has few
// tiles and long sums: 192 tiles of dn for 264 blocks that the SMs have room for, so a block a tile would
// leave SMs without work. Instead the steps of all tiles stand in one row, and each block takes an equal
// share of them. A tile then has parts in two blocks or three, and each adds its part to c: atomically, and c
// must be 0 before the launch. H and O are multiples of four here: so all rows of a, b and c begin at
// multiples of 16 bytes.
template <bool kAlongInner, bool kNormalized>
__device__ inline void add_product(ProductTiles& tiles, float* c, const float* a, const float* b, int rows,
                                   int columns, int inner, const Normalization& norm) {
  const int steps = (inner + kTileDepth - 1) / kTileDepth;
  const int tiles_across = (columns + kTileColumns - 1) / kTileColumns;
  const long long all = static_cast<long long>(steps) * tiles_across * ((rows + kTileRows - 1) / kTileRows);
  const long long end = all * (blockIdx.x + 1) / gridDim.x;
  // Where the lines of a tile lie in memory as they do here, a warp moves two of the eight, four elements a
  // lane.
  const int warp = threadIdx.x / kWarpSize, at = threadIdx.x % kWarpSize * 4;
  const int lines[2] = {warp, warp + kTileThreads / kWarpSize};
  // Where the lines of a run along rows in memory, a thread moves half of two rows, as in fused_tiled.
  const int own_row = threadIdx.x / 2, tile_rows[2] = {own_row, own_row + kTileRows / 2};
  const int row_k = threadIdx.x % 2 * 4;
  for (long long next = all * blockIdx.x / gridDim.x; next < end;) {
    const int tile = static_cast<int>(next / steps), first_step = static_cast<int>(next % steps);
    const int last_step = static_cast<int>(min(static_cast<long long>(steps), first_step + (end - next)));
    next += last_step - first_step;
    const int first_row = tile / tiles_across * kTileRows, first_column = tile % tiles_across * kTileColumns;
    const float* a_rows[2] = {a + min(first_row + tile_rows[0], rows - 1) * inner,
                              a + min(first_row + tile_rows[1], rows - 1) * inner};

    float next_a[2][4], next_b[2][4];
    // Past the end of `inner`, line 0 is read again, and a is 0 there.
    const auto fetch = [&](int step) {
#pragma unroll
      for (int n = 0; n < 2; ++n) {
        const int k = step * kTileDepth + lines[n];
        const bool inside = k < inner;
        const int from = inside ? k : 0;
        if (kAlongInner)
          load_four<true>(next_a[n], a_rows[n], step * kTileDepth + row_k, inner, 0.0f);
        else
          load_four<true>(next_a[n], a + from * rows, first_row + at, inside ? rows : 0, 0.0f);
        load_four<true>(next_b[n], b + from * columns, first_column + at, columns, 0.0f);
      }
    };
    const auto store_a = [&](int buffer) {
#pragma unroll
      for (int n = 0; n < 2; ++n)
        if (kAlongInner) {
#pragma unroll
          for (int i = 0; i < 4; ++i) tiles.a[buffer][row_k + i][tile_rows[n]] = next_a[n][i];
        } else {
          write_four<true>(tiles.a[buffer][lines[n]], at, kTileRows, next_a[n]);
        }
    };
    // The statistics of a line are asked for only here: kept since the fetch, they would take registers.
    const auto store_b = [&](int buffer, int step) {
#pragma unroll
      for (int n = 0; n < 2; ++n) {
        if (kNormalized) {
          const int k = min(step * kTileDepth + lines[n], inner - 1);
          const float mean = norm.mean[k], inv_std = norm.inv_std[k];
#pragma unroll
          for (int i = 0; i < 4; ++i) next_b[n][i] = (next_b[n][i] - mean) * inv_std;
        }
        write_four<true>(tiles.b[buffer][lines[n]], at, kTileColumns, next_b[n]);
      }
    };

    float sums[kThreadRows][kThreadColumns] = {};
    const auto multiply = [&](int buffer, int from, int to) {
#pragma unroll
      for (int k = from; k < to; ++k) {
        float left[kThreadRows], right[kThreadColumns];
#pragma unroll
        for (int i = 0; i < kThreadRows; i += 4) read_four(left + i, tiles.a[buffer][k], tile_row(i));
#pragma unroll
        for (int j = 0; j < kThreadColumns; j += 4) read_four(right + j, tiles.b[buffer][k], tile_column(j));
#pragma unroll
        for (int i = 0; i < kThreadRows; ++i)
#pragma unroll
          for (int j = 0; j < kThreadColumns; ++j) sums[i][j] += left[i] * right[j];
      }
    };
    fetch(first_step);
    store_b(0, first_step);
    store_a(0);
    fetch(first_step + 1);
    __syncthreads();
    int now = 0;
    for (int step = first_step; step < last_step; ++step) {
      multiply(now, 0, 3);
      store_b(1 - now, step + 1);
      multiply(now, 3, 5);
      store_a(1 - now);
      multiply(now, 5, 7);
      fetch(step + 2);  // the last two fetch for nobody
      multiply(now, 7, kTileDepth);
      __syncthreads();
      now = 1 - now;
    }

#pragma unroll
    for (int i = 0; i < kThreadRows; ++i) {
      const int row = first_row + tile_row(i);
#pragma unroll
      for (int j = 0; j < kThreadColumns; j += 4) {
        const int column = first_column + tile_column(j);
        if (row >= rows || column >= columns) continue;
        if (kNormalized)
#pragma unroll
          for (int n = 0; n < 4; ++n) {
            sums[i][j + n] *= norm.gamma[column + n];
            if (first_step == 0)
              sums[i][j + n] += norm.sums_of_a[row] * norm.beta[column + n];  // once a tile
          }
        add_four(&c[row * columns + column], &sums[i][j]);
      }
    }
    __syncthreads();  // the next tile begins in buffer 0
  }
}

// c += a b.
__global__ void __launch_bounds__(kTileThreads, kTileBlocks)
    product_kernel(float* c, const float* a, const float* b, int rows, int columns, int inner) {
  __shared__ ProductTiles tiles;
  add_product<true, false>(tiles, c, a, b, rows, columns, inner, {});
}

// c += a^T b, a as it lies in memory: [inner, rows].
__global__ void __launch_bounds__(kTileThreads, kTileBlocks)
    product_transposed_kernel(float* c, const float* a, const float* b, int rows, int columns, int inner) {
  __shared__ ProductTiles tiles;
  add_product<false, false>(tiles, c, a, b, rows, columns, inner, {});
}

// c += a^T LN(b).
__global__ void __launch_bounds__(kTileThreads, kTileBlocks)
    product_normalized_kernel(float* c, const float* a, const float* b, int rows, int columns, int inner,
                              Normalization norm) {
  __shared__ ProductTiles tiles;
  add_product<false, true>(tiles, c, a, b, rows, columns, inner, norm);
}
