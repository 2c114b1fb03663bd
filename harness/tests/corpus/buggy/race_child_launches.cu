// Wrong: a kernel reads what it has launched another one for, and every block launches the same work.
#include <cuda_runtime.h>
#include <cstdio>

__device__ int total;

__global__ void add(const int* x) {
  atomicAdd(&total, x[threadIdx.x]);  // expect-other: race_global
}

__global__ void grow(int* y) {
  y[threadIdx.x] += 1;  // expect: race_global
}

__global__ void parent(const int* x, int* y, int* sum) {
  if (threadIdx.x != 0) return;
  grow<<<1, 32>>>(y);
  if (blockIdx.x != 0) return;
  add<<<1, 32>>>(x);
  *sum = total;  // expect: race_global
}

int main() {
  const int n = 32;
  int h[n], *x, *y, *sum, got = 0;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMalloc(&sum, sizeof(int));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(y, h, sizeof h, cudaMemcpyHostToDevice);
  parent<<<2, 32>>>(x, y, sum);
  cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%d\n", got);
  cudaFree(x);
  cudaFree(y);
  cudaFree(sum);
}
