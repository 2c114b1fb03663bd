// Wrong: the shared array is sized for 128 threads, the launch has 192: a reduction that was tuned in one
// place.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 128;

__global__ void maximum(float* result, const float* x) {
  __shared__ float best[kBlock];
  const int t = threadIdx.x;
  best[t] = x[t];  // expect: oob_shared
  __syncthreads();
  if (t == 0) {
    float m = best[0];
    for (int i = 1; i < kBlock; ++i) m = fmaxf(m, best[i]);
    *result = m;
  }
}

int main() {
  const int n = 192;
  std::vector<float> x(n, 1.0f);
  x[150] = 9.0f;
  float *d_x, *d_result, result = 0.0f;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_result, sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  maximum<<<1, n>>>(d_result, d_x);
  cudaMemcpy(&result, d_result, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("maximum %g\n", result);
  cudaFree(d_x);
  cudaFree(d_result);
}
