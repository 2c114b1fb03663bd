// assert and printf in device code, from one thread so that the line comes once; clock64 only moves forwards.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>

__global__ void check(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(n > 0);
  const long long start = clock64();
  if (i < n) out[i] = 3 * i;
  if (i == n - 1) printf("thread %d of block %d stored %d\n", threadIdx.x, blockIdx.x, out[i]);
  assert(clock64() >= start);
}

int main() {
  const int n = 70;
  int *d_out, last = 0;
  cudaMalloc(&d_out, n * sizeof(int));
  check<<<3, 32>>>(d_out, n);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(&last, d_out + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s, %d\n", cudaGetErrorString(error), last);
  cudaFree(d_out);
  return last != 3 * (n - 1) || error != cudaSuccess;
}
