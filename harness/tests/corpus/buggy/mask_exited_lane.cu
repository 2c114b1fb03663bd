// Wrong: the lanes past the end have returned, and the vote still names them.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void all_positive(int* flags, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int all = __all_sync(0xffffffffu, x[i] > 0.0f);  // expect: bad_warp_mask
  flags[i] = all;
}

int main() {
  const int n = 50;
  std::vector<float> x(n, 1.0f);
  std::vector<int> flags(n);
  float* d_x;
  int* d_flags;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_flags, n * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  all_positive<<<1, 64>>>(d_flags, d_x, n);
  cudaMemcpy(flags.data(), d_flags, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("flags[%d] = %d\n", n - 1, flags[n - 1]);
  cudaFree(d_x);
  cudaFree(d_flags);
}
