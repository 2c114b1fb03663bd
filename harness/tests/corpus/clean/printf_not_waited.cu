// What a kernel prints appears when the host waits.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void hello() {
  if (threadIdx.x < 2) printf("hello from %d\n", threadIdx.x);
}

int main() {
  hello<<<1, 32>>>();
  cudaDeviceSynchronize();
  return 0;
}
