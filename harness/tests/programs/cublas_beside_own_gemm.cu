// Our own matrix product beside cuBLAS: sgemm, and the strided batch. cuBLAS counts columns first, so
// row-major C = A B is asked for as C^T = B^T A^T.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUBLAS_CHECK(call)                                                              \
  do {                                                                                  \
    cublasStatus_t status_ = (call);                                                    \
    if (status_ != CUBLAS_STATUS_SUCCESS) {                                             \
      std::fprintf(stderr, "%s: cuBLAS status %d\n", #call, static_cast<int>(status_)); \
      std::exit(1);                                                                     \
    }                                                                                   \
  } while (0)

__global__ void sgemm(int M, int N, int K, float alpha, const float* A, const float* B, float beta,
                      float* C) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= M || x >= N) return;
  float sum = 0.0f;
  for (int i = 0; i < K; ++i) sum += A[y * K + i] * B[i * N + x];
  C[y * N + x] = alpha * sum + beta * C[y * N + x];
}

static float difference(const float* d_a, const float* d_b, int n) {
  std::vector<float> a(n), b(n);
  cudaMemcpy(a.data(), d_a, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), d_b, n * sizeof(float), cudaMemcpyDeviceToHost);
  float worst = 0.0f;
  for (int i = 0; i < n; ++i) worst = std::fmax(worst, std::fabs(a[i] - b[i]));
  return worst;
}

int main() {
  const int M = 60, N = 50, K = 40, batch = 3;
  const float alpha = 1.5f, beta = 0.25f;
  std::vector<float> a(batch * M * K), b(batch * K * N), c(batch * M * N, 2.0f);
  for (float& v : a) v = static_cast<float>(rand() % 17) / 8.0f - 1.0f;
  for (float& v : b) v = static_cast<float>(rand() % 17) / 8.0f - 1.0f;
  float *d_a, *d_b, *d_own, *d_library;
  cudaMalloc(&d_a, a.size() * sizeof(float));
  cudaMalloc(&d_b, b.size() * sizeof(float));
  cudaMalloc(&d_own, c.size() * sizeof(float));
  cudaMalloc(&d_library, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_own, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_library, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);

  const dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  for (int i = 0; i < batch; ++i)
    sgemm<<<grid, block>>>(M, N, K, alpha, d_a + i * M * K, d_b + i * K * N, beta, d_own + i * M * N);

  cublasHandle_t handle;
  CUBLAS_CHECK(cublasCreate(&handle));
  CUBLAS_CHECK(
      cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, &alpha, d_b, N, d_a, K, &beta, d_library, N));
  const float one = difference(d_own, d_library, M * N);
  CUBLAS_CHECK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, &alpha, d_b + K * N, N,
                                         K * N, d_a + M * K, K, M * K, &beta, d_library + M * N, N, M * N,
                                         batch - 1));
  const float all = difference(d_own, d_library, batch * M * N);
  CUBLAS_CHECK(cublasDestroy(handle));
  std::printf("largest difference %g in one product, %g in the batch\n", one, all);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_own);
  cudaFree(d_library);
  return one < 1e-3f && all < 1e-3f ? 0 : 1;
}
