// Wrong: the weights are freed before the kernel that reads them is launched.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void weigh(float* y, const float* weights, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] *= weights[i];  // expect: use_after_free
}

int main() {
  const int n = 512;
  const size_t bytes = n * sizeof(float);
  std::vector<float> y(n, 4.0f), weights(n, 0.25f);
  float *d_y, *d_weights;
  cudaMalloc(&d_y, bytes);
  cudaMalloc(&d_weights, bytes);
  cudaMemcpy(d_y, y.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_weights, weights.data(), bytes, cudaMemcpyHostToDevice);
  cudaFree(d_weights);  // expect-other: use_after_free
  weigh<<<2, 256>>>(d_y, d_weights, n);
  cudaMemcpy(y.data(), d_y, bytes, cudaMemcpyDeviceToHost);
  std::printf("y[0] = %g\n", y[0]);
  cudaFree(d_y);
}
