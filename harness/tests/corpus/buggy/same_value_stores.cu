// Many threads store one value in one place: it works, and advice says so. Where the values differ it is a
// race.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void find(int* found, int* where, const float* x, int n) {
  __shared__ bool any;
  if (threadIdx.x == 0) any = false;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 100.0f) {
    any = true;  // expect-advice: race_shared
    *where = i;  // expect: race_global
  }
  __syncthreads();
  if (any) *found = 1;  // expect-advice: race_global
}

int main() {
  const int n = 512;
  float x[n], *d_x;
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i);
  int *d_found, *d_where, found = 0;
  cudaMalloc(&d_x, sizeof x);
  cudaMalloc(&d_found, sizeof(int));
  cudaMalloc(&d_where, sizeof(int));
  cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemset(d_found, 0, sizeof(int));
  cudaMemset(d_where, 0, sizeof(int));
  find<<<4, 128>>>(d_found, d_where, d_x, n);
  cudaMemcpy(&found, d_found, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("found: %d\n", found);
  cudaFree(d_x), cudaFree(d_found), cudaFree(d_where);
}
