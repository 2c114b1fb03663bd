// Right: functions that call themselves a few times; deeper with a larger stack; and large arrays of a
// thread's own.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }

__global__ void few(int* out) { out[threadIdx.x] = fibonacci(10 + threadIdx.x % 4); }

__global__ void deep(int* out, int n) { out[threadIdx.x] = depth(n); }

__global__ void large(int* out, int n) {
  int own[12000];
  for (int i = 0; i < n; ++i) own[i] = i;
  int sum = 0;
  for (int i = 0; i < n; i += 7) sum += own[i];
  out[threadIdx.x] = sum + fibonacci(8);
}

int main() {
  int *out, a[32], b[32], c[32];
  cudaMalloc(&out, sizeof a);
  few<<<1, 32>>>(out);
  cudaMemcpy(a, out, sizeof a, cudaMemcpyDeviceToHost);
  large<<<1, 32>>>(out, 12000);
  cudaMemcpy(b, out, sizeof b, cudaMemcpyDeviceToHost);
  cudaDeviceSetLimit(cudaLimitStackSize, 32768);
  deep<<<1, 32>>>(out, 200);
  cudaMemcpy(c, out, sizeof c, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d\n", a[0], b[0], c[0]);
  cudaFree(out);
  return a[0] != 55 || c[0] != 200;
}
