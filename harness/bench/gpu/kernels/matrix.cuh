// Kernels on square row-major matrices of `size` rows, a multiple of the tile. Grids are two-dimensional.
#pragma once

constexpr int kTile = 32;  // transposes: a tile of 32 x 32, by 32 x 8 threads
constexpr int kTileRows = 8;
constexpr int kMatmulTile = 16;  // 16 x 16 threads, one output each

// Reads rows, writes columns: each store of a warp goes to 32 rows.
__global__ void transpose_naive_kernel(float* out, const float* in, int size) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  for (int r = threadIdx.y; r < kTile; r += kTileRows) {
    const int y = blockIdx.y * kTile + r;
    out[x * size + y] = in[y * size + x];
  }
}

// Through shared memory both sides are whole rows. With kPad 0 a column of the tile lies in one bank: 32-way
// conflicts. With kPad 1 it lies in 32.
template <int kPad>
__global__ void transpose_tiled_kernel(float* out, const float* in, int size) {
  __shared__ float tile[kTile][kTile + kPad];
  const int x = blockIdx.x * kTile + threadIdx.x;
  for (int r = threadIdx.y; r < kTile; r += kTileRows)
    tile[r][threadIdx.x] = in[(blockIdx.y * kTile + r) * size + x];
  __syncthreads();
  const int to = blockIdx.y * kTile + threadIdx.x;
  for (int r = threadIdx.y; r < kTile; r += kTileRows)
    out[(blockIdx.x * kTile + r) * size + to] = tile[threadIdx.x][r];
}

__global__ void matmul_naive_kernel(float* c, const float* a, const float* b, int size) {
  const int row = blockIdx.y * kMatmulTile + threadIdx.y, column = blockIdx.x * kMatmulTile + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < size; ++k) sum += a[row * size + k] * b[k * size + column];
  c[row * size + column] = sum;
}

__device__ inline float tiled_product(const float* a, const float* b, int size) {
  __shared__ float a_tile[kMatmulTile][kMatmulTile];
  __shared__ float b_tile[kMatmulTile][kMatmulTile];
  const int row = blockIdx.y * kMatmulTile + threadIdx.y, column = blockIdx.x * kMatmulTile + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < size; k += kMatmulTile) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * size + k + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * size + column];
    __syncthreads();
    for (int i = 0; i < kMatmulTile; ++i) sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
    __syncthreads();  // before the next step's loads overwrite the tiles
  }
  return sum;
}

__global__ void matmul_tiled_kernel(float* c, const float* a, const float* b, int size) {
  const int row = blockIdx.y * kMatmulTile + threadIdx.y, column = blockIdx.x * kMatmulTile + threadIdx.x;
  c[row * size + column] = tiled_product(a, b, size);
}

// The same with bias and ReLU before the one store.
__global__ void matmul_bias_relu_kernel(float* c, const float* a, const float* b, const float* bias,
                                        int size) {
  const int row = blockIdx.y * kMatmulTile + threadIdx.y, column = blockIdx.x * kMatmulTile + threadIdx.x;
  c[row * size + column] = fmaxf(tiled_product(a, b, size) + bias[column], 0.0f);
}

__global__ void bias_relu_kernel(float* c, const float* bias, int size) {
  const int row = blockIdx.y * kMatmulTile + threadIdx.y, column = blockIdx.x * kMatmulTile + threadIdx.x;
  c[row * size + column] = fmaxf(c[row * size + column] + bias[column], 0.0f);
}
