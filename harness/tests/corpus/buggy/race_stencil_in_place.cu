// Wrong: the stencil updates the array it reads. The barrier holds a block together, but its edges are read
// by the blocks on either side.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void diffuse(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool inside = i > 0 && i < n - 1;
  float next = 0.0f;
  if (inside) next = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];  // expect: race_global
  __syncthreads();
  if (inside) x[i] = next;  // expect-other: race_global
}

int main() {
  const int n = 512;
  std::vector<float> x(n, 0.0f);
  x[n / 2] = 1.0f;
  float* d_x;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int step = 0; step < 3; ++step) diffuse<<<4, 128>>>(d_x, n);
  cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("x[%d] = %g\n", n / 2, x[n / 2]);
  cudaFree(d_x);
}
