// float4 for as long as four elements are left, single floats for the tail.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scale(float* x, float factor, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  float4* x4 = reinterpret_cast<float4*>(x);
  for (int i = t; i < n / 4; i += threads) {
    float4 v = x4[i];
    v.x *= factor, v.y *= factor, v.z *= factor, v.w *= factor;
    x4[i] = v;
  }
  const int tail = n / 4 * 4 + t;
  if (tail < n) x[tail] *= factor;
}

int main() {
  int wrong = 0;
  for (const int n : {1, 3, 4, 1021, 1022, 1023, 1024}) {
    std::vector<float> x(n, 2.0f);
    float* d_x;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<2, 64>>>(d_x, 1.5f, n);
    cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (const float v : x) wrong += v != 3.0f;
    cudaFree(d_x);
  }
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
