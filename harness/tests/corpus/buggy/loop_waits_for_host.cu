// Not followed: a kernel waits for what the host sets behind the launch.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void wait_for_host(int* flag, int* data, int* out) {
  while (*(volatile int*)flag == 0) {  // expect-warning: infinite_loop; says: The host could
  }
  __threadfence_system();
  *out = *data + 1;
}

int main() {
  int *flag, *data, *out, h = 0;
  cudaHostAlloc(&flag, 4, cudaHostAllocMapped);
  cudaHostAlloc(&data, 4, cudaHostAllocMapped);
  cudaMalloc(&out, 4);
  *flag = 0;
  wait_for_host<<<1, 1>>>(flag, data, out);
  *data = 41;
  __sync_synchronize();
  *(volatile int*)flag = 1;
  cudaDeviceSynchronize();
  cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h);
  cudaFreeHost(flag);
  cudaFreeHost(data);
  cudaFree(out);
}
