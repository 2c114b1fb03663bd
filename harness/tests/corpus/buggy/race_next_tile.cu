// Wrong: fast threads load the next tile while slow ones still multiply with this one: the second barrier of
// the tiled matrix product is missing.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int n) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int k = 0; k < n; k += kTile) {
    a_tile[ty][tx] = a[row * n + k + tx];       // expect: race_shared
    b_tile[ty][tx] = b[(k + ty) * n + column];  // expect: race_shared
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[ty][i] * b_tile[i][tx];  // expect-other: race_shared
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 4 * kTile;
  const size_t bytes = n * n * sizeof(float);
  std::vector<float> a(n * n, 1.0f), b(n * n, 0.5f), c(n * n);
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);
  cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice);
  matmul<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(d_c, d_a, d_b, n);
  cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost);
  std::printf("c[0] = %g, should be %g\n", c[0], 0.5f * n);
  cudaFree(d_a), cudaFree(d_b), cudaFree(d_c);
}
