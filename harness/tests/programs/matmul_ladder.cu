// C = A B in four steps: a thread an element, tiles of a compile-time size, tiles of a run-time size in
// dynamic shared memory, and 4 x 4 elements a thread in registers.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))

__global__ void matmul_naive(int m, int n, int k, const float* a, const float* b, float* c) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

template <int kTile>
__global__ void matmul_tiled(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = blockIdx.x * kTile + tx, row = blockIdx.y * kTile + ty;
  float sum = 0.0f;
  for (int first = 0; first < k; first += kTile) {
    a_tile[ty][tx] = row < m && first + tx < k ? a[row * k + first + tx] : 0.0f;
    b_tile[ty][tx] = column < n && first + ty < k ? b[(first + ty) * n + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

__global__ void matmul_dynamic(int m, int n, int k, const float* a, const float* b, float* c) {
  extern __shared__ float shared[];
  const int tile = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
  float *a_tile = shared, *b_tile = shared + tile * tile;
  const int column = blockIdx.x * tile + tx, row = blockIdx.y * tile + ty;
  float sum = 0.0f;
  for (int t = 0; t < CEIL_DIV(k, tile); ++t) {
    const int a_column = t * tile + tx, b_row = t * tile + ty;
    a_tile[ty * tile + tx] = row < m && a_column < k ? a[row * k + a_column] : 0.0f;
    b_tile[ty * tile + tx] = column < n && b_row < k ? b[b_row * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += a_tile[ty * tile + i] * b_tile[i * tile + tx];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

// A block of 256 threads makes 64 x 64 elements, four by four each; m, n and k are multiples of 64, 64 and 8.
template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN))
    matmul_registers(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float a_tile[BK][BM], b_tile[BK][BN];
  const int threads = (BM * BN) / (TM * TN), t = threadIdx.x;
  const int row = t / (BN / TN) * TM, column = t % (BN / TN) * TN;
  a += blockIdx.y * BM * k;
  b += blockIdx.x * BN;
  c += blockIdx.y * BM * n + blockIdx.x * BN;
  float sums[TM][TN] = {}, a_part[TM], b_part[TN];
  for (int first = 0; first < k; first += BK) {
    for (int i = t; i < BM * BK; i += threads)
      a_tile[i % BK][i / BK] = a[i / BK * k + first + i % BK];  // may: bank_conflict
    for (int i = t; i < BK * BN; i += threads) b_tile[i / BN][i % BN] = b[(first + i / BN) * n + i % BN];
    __syncthreads();
    for (int i = 0; i < BK; ++i) {
      for (int y = 0; y < TM; ++y) a_part[y] = a_tile[i][row + y];
      for (int x = 0; x < TN; ++x) b_part[x] = b_tile[i][column + x];  // may: bank_conflict
      for (int y = 0; y < TM; ++y)
        for (int x = 0; x < TN; ++x) sums[y][x] += a_part[y] * b_part[x];
    }
    __syncthreads();
  }
  for (int y = 0; y < TM; ++y)
    for (int x = 0; x < TN; ++x) c[(row + y) * n + column + x] = sums[y][x];  // may: uncoalesced
}

template <class Launch>
bool check(const char* name, int m, int n, int k, Launch launch) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (float& v : a) v = uniform(random);
  for (float& v : b) v = uniform(random);
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, a.size() * sizeof(float));
  cudaMalloc(&d_b, b.size() * sizeof(float));
  cudaMalloc(&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  launch(m, n, k, d_a, d_b, d_c);
  cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_a), cudaFree(d_b), cudaFree(d_c);
  double worst = 0.0;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      double sum = 0.0;
      for (int i = 0; i < k; ++i) sum += static_cast<double>(a[row * k + i]) * b[i * n + column];
      worst = std::fmax(worst, std::fabs(sum - c[row * n + column]));
    }
  std::printf("%-10s %4d x %4d x %4d  largest error %.2g\n", name, m, n, k, worst);
  return worst < 1e-4;
}

int main() {
  bool right = check("naive", 70, 65, 50, [](int m, int n, int k, float* a, float* b, float* c) {
    matmul_naive<<<dim3(CEIL_DIV(n, 16), CEIL_DIV(m, 16)), dim3(16, 16)>>>(m, n, k, a, b, c);
  });
  right &= check("tiled", 70, 65, 50, [](int m, int n, int k, float* a, float* b, float* c) {
    matmul_tiled<16><<<dim3(CEIL_DIV(n, 16), CEIL_DIV(m, 16)), dim3(16, 16)>>>(m, n, k, a, b, c);
  });
  right &= check("dynamic", 70, 65, 50, [](int m, int n, int k, float* a, float* b, float* c) {
    const int tile = 8;
    const size_t bytes = 2 * tile * tile * sizeof(float);
    matmul_dynamic<<<dim3(CEIL_DIV(n, tile), CEIL_DIV(m, tile)), dim3(tile, tile), bytes>>>(m, n, k, a, b, c);
  });
  right &= check("registers", 128, 64, 64, [](int m, int n, int k, float* a, float* b, float* c) {
    matmul_registers<64, 64, 8, 4, 4><<<dim3(n / 64, m / 64), 256>>>(m, n, k, a, b, c);
  });
  return right ? 0 : 1;
}
