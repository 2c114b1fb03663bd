// Managed memory: written by the host, changed by the device, read by the host after synchronising.
#include <cuda_runtime.h>

#include <cstdio>

__managed__ int total = 0;

__global__ void add_up(const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&total, x[i]);
}

int main() {
  const int n = 500;
  int* x;
  cudaMallocManaged(&x, n * sizeof(int));
  for (int i = 0; i < n; ++i) x[i] = i;
  add_up<<<4, 128>>>(x, n);
  cudaDeviceSynchronize();
  const int first = total;
  for (int i = 0; i < n; ++i) x[i] = 1;
  add_up<<<4, 128>>>(x, n);
  cudaDeviceSynchronize();
  std::printf("%d, then %d\n", first, total);
  cudaFree(x);
  return first != n * (n - 1) / 2 || total != first + n;
}
