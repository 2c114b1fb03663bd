// Wrong: more is printed than the device's buffer holds before the host waits.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void talk(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    printf("%d of %d: %g\n", i, n, i * 0.5);  // expect-warning: bad_api_call; says: a buffer of 16384
}

int main() {
  cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 16384);
  for (int launch = 0; launch < 3; ++launch) {
    talk<<<4, 128>>>(512);
    cudaDeviceSynchronize();
  }
  talk<<<8, 128>>>(1024);
  cudaDeviceSynchronize();
}
