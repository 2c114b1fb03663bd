// Right: a larger buffer where much is printed, and the host waits in between.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void talk(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) printf("%d of %d: %g\n", i, n, i * 0.5);
}

int main() {
  cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 65536);
  for (int launch = 0; launch < 4; ++launch) {
    talk<<<8, 128>>>(1024);
    cudaDeviceSynchronize();
  }
}
