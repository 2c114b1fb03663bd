// A matrix product on tensor cores: a warp a 16 x 16 tile of the result, half in, float out, then scale and
// add.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace nvcuda;

const int WMMA_M = 16, WMMA_N = 16, WMMA_K = 16;

__global__ void wmma_gemm(const half* a, const half* b, float* c, int M, int N, int K, float alpha,
                          float beta) {
  const int warpM = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  const int warpN = blockIdx.y * blockDim.y + threadIdx.y;
  wmma::fragment<wmma::matrix_a, WMMA_M, WMMA_N, WMMA_K, half, wmma::row_major> a_frag;
  wmma::fragment<wmma::matrix_b, WMMA_M, WMMA_N, WMMA_K, half, wmma::col_major> b_frag;
  wmma::fragment<wmma::accumulator, WMMA_M, WMMA_N, WMMA_K, float> acc_frag, c_frag;
  wmma::fill_fragment(acc_frag, 0.0f);
  const int row = warpM * WMMA_M, column = warpN * WMMA_N;
  if (row >= M || column >= N) return;
  for (int k = 0; k < K; k += WMMA_K) {
    wmma::load_matrix_sync(a_frag, a + row * K + k, K);
    wmma::load_matrix_sync(b_frag, b + column * K + k, K);
    wmma::mma_sync(acc_frag, a_frag, b_frag, acc_frag);
  }
  wmma::load_matrix_sync(c_frag, c + row * N + column, N, wmma::mem_row_major);
  for (int i = 0; i < c_frag.num_elements; i++) c_frag.x[i] = alpha * acc_frag.x[i] + beta * c_frag.x[i];
  wmma::store_matrix_sync(c + row * N + column, c_frag, N, wmma::mem_row_major);
}

int main() {
  const int M = 64, N = 48, K = 80;
  const float alpha = 2.0f, beta = 0.5f;
  std::vector<half> a(M * K), b(N * K);
  std::vector<float> c(M * N, 4.0f);
  for (int i = 0; i < M * K; ++i) a[i] = __float2half(static_cast<float>(i % 7 - 3));
  for (int i = 0; i < N * K; ++i) b[i] = __float2half(0.25f * static_cast<float>(i % 5 - 2));
  half *d_a, *d_b;
  float* d_c;
  cudaMalloc(&d_a, a.size() * sizeof(half));
  cudaMalloc(&d_b, b.size() * sizeof(half));
  cudaMalloc(&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(d_c, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 block(64, 2), grid((M + 31) / 32, (N + 31) / 32);
  wmma_gemm<<<grid, block>>>(d_a, d_b, d_c, M, N, K, alpha, beta);
  cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  float worst = 0.0f;
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      float sum = 0.0f;
      for (int k = 0; k < K; ++k) sum += __half2float(a[m * K + k]) * __half2float(b[n * K + k]);
      worst = std::fmax(worst, std::fabs(c[m * N + n] - (alpha * sum + beta * 4.0f)));
    }
  std::printf("largest error %g\n", worst);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return worst < 1e-3f ? 0 : 1;
}
