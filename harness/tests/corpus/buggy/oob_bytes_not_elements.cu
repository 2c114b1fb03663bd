// Wrong: cudaMalloc counts bytes, and gets a number of elements: a quarter of what the kernel writes.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fill(int* out, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;  // expect: oob_global
}

int main() {
  const int n = 2000;
  int* d_out;
  cudaMalloc(&d_out, n);
  fill<<<(n + 127) / 128, 128>>>(d_out, 7, n);
  std::vector<int> out(n);
  cudaMemcpy(out.data(), d_out, n, cudaMemcpyDeviceToHost);
  std::printf("out[0] = %d\n", out[0]);
  cudaFree(d_out);
}
