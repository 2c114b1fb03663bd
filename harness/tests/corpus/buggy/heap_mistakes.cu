// Wrong: what can go wrong with the heap of kernels, one kernel each.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void past_its_end(int* y) {
  int* scratch = static_cast<int*>(malloc(4 * sizeof(int)));
  for (int i = 0; i <= 4; ++i) scratch[i] = i;  // expect: oob_global
  *y = scratch[3];
  free(scratch);
}

__global__ void after_free(int* y) {
  int* scratch = new int[4];
  scratch[0] = 7;
  delete[] scratch;      // expect-other: use_after_free
  *y = scratch[*y % 4];  // expect: use_after_free
}

__global__ void freed_by_all(int* y) {
  __shared__ int* row;
  if (threadIdx.x == 0) row = new int[32];
  __syncthreads();
  row[threadIdx.x] = y[0];
  __syncthreads();
  delete[] row;  // expect: double_free
}

__global__ void not_set(int* y) {
  int* counts = new int[2];
  counts[0] += 1;  // expect: uninit_global
  *y = counts[0];
  delete[] counts;
}

__global__ void kept(int** p) { *p = new int(5); }  // expect-warning: leak

__global__ void not_its_own(int* y) { free(y); }  // expect: oob_global

__global__ void race(int* y) {
  __shared__ int* row;
  if (threadIdx.x == 0) row = new int[32];
  __syncthreads();
  row[threadIdx.x] = threadIdx.x;                // expect-other: race_global
  y[threadIdx.x] = row[(threadIdx.x + 1) % 32];  // expect: race_global; may: uninit_global
  __syncthreads();
  if (threadIdx.x == 0) delete[] row;
}

__global__ void too_much(int* y) {
  int* all = static_cast<int*>(malloc(16 << 20));
  *y = all == nullptr;
}

int main() {
  int *y, **p, *kept_one, h = 0;
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMalloc(&p, sizeof(int*));
  cudaMemset(y, 0, 32 * sizeof(int));
  past_its_end<<<1, 1>>>(y);
  after_free<<<1, 1>>>(y);
  freed_by_all<<<1, 32>>>(y);
  not_set<<<1, 1>>>(y);
  kept<<<1, 1>>>(p);
  not_its_own<<<1, 1>>>(y);
  race<<<1, 32>>>(y);
  too_much<<<1, 1>>>(y);
  cudaMemcpy(&h, y, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("16 MiB of a heap of 8: %s\n", h == 1 ? "null" : "given");
  cudaMemcpy(&kept_one, p, sizeof kept_one, cudaMemcpyDeviceToHost);
  cudaMemcpy(&h, kept_one, sizeof h, cudaMemcpyDeviceToHost);  // expect: oob_global
  cudaFree(kept_one);                                          // expect: host_deref
  free(kept_one);                                              // expect: host_deref
  std::printf("%d\n", *kept_one);                              // expect: host_deref
  cudaFree(y), cudaFree(p);
  const bool too_late = cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20) == cudaErrorInvalidValue;
  return too_late ? 0 : 99;
}
