// A kernel partitions its part by a function that stands behind the launches in the text, and launches then.
#include <cuda_runtime.h>
#include <cstdio>

__device__ int partition(int* x, int left, int right);

__global__ void sort_part(int* x, int left, int right) {
  if (left >= right) return;
  const int middle = partition(x, left, right);
  if (left < middle - 1) sort_part<<<1, 1>>>(x, left, middle - 1);
  if (middle + 1 < right) sort_part<<<1, 1>>>(x, middle + 1, right);
}

__device__ int partition(int* x, int left, int right) {
  const int pivot = x[right];
  int to = left;
  for (int i = left; i < right; ++i)
    if (x[i] < pivot) {
      const int value = x[i];
      x[i] = x[to];
      x[to++] = value;
    }
  x[right] = x[to];
  x[to] = pivot;
  return to;
}

int main() {
  int host[40], *x;
  for (int i = 0; i < 40; ++i) host[i] = i * 17 % 40;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  sort_part<<<1, 1>>>(x, 0, 39);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[39]);
  cudaFree(x);
  return host[0] != 0 || host[39] != 39;
}
