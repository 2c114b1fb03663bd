// A kernel gets the value of a variable of the host as an argument.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

int width = 40;  // may be changed by an argument
__global__ void diagonal(const float* m, float* out, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = m[i * width + i];
}

int main(int argc, char** argv) {
  if (argc > 1) width = atoi(argv[1]);
  std::vector<float> h(width * width, 1.0f);
  float *m, *out;
  cudaMalloc(&m, h.size() * sizeof(float));
  cudaMalloc(&out, width * sizeof(float));
  cudaMemcpy(m, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
  diagonal<<<1, 64>>>(m, out, width, width);
  cudaMemcpy(h.data(), out, width * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g\n", h[0]);
  cudaFree(m);
  cudaFree(out);
}
