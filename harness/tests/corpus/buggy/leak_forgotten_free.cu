// Wrong: the temporary is never given back.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void square(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

int main() {
  const int n = 150;
  std::vector<float> x(n, 3.0f);
  float *d_x, *d_squares;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_squares, n * sizeof(float));  // expect-warning: leak
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  square<<<2, 128>>>(d_squares, d_x, n);
  cudaMemcpy(x.data(), d_squares, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("x[0] = %g\n", x[0]);
  cudaFree(d_x);
}
