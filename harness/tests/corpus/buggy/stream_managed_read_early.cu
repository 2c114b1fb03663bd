// Wrong: the host reads managed memory before it has waited for the kernel that writes it.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;  // expect-other: stream_race
}

int main() {
  const int n = 300;
  int *x, *other;
  long sum = 0;
  cudaMallocManaged(&x, n * sizeof(int));
  cudaMallocManaged(&other, n * sizeof(int));
  fill<<<3, 128>>>(x, n);
  for (int i = 0; i < n; ++i) other[i] = i;  // the kernel does not use it
  for (int i = 0; i < n; ++i) sum += x[i];   // expect: stream_race
  std::printf("sum %ld\n", sum);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(other);
}
