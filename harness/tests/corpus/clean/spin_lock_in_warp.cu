// All 32 lanes of a warp want the same lock. The critical section lies inside the loop, so that a lane which
// has the lock also gives it back before its warp goes on.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void push(int* list, int* size, int* lock) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      list[*size] = blockIdx.x * blockDim.x + threadIdx.x;
      *size += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

int main() {
  const int n = 64;
  int *d_list, *d_size, *d_lock, list[n], size = 0;
  cudaMalloc(&d_list, sizeof list);
  cudaMalloc(&d_size, sizeof(int));
  cudaMalloc(&d_lock, sizeof(int));
  cudaMemset(d_size, 0, sizeof(int));
  cudaMemset(d_lock, 0, sizeof(int));
  push<<<2, 32>>>(d_list, d_size, d_lock);
  cudaMemcpy(list, d_list, sizeof list, cudaMemcpyDeviceToHost);
  cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < size && i < n; ++i) sum += list[i];
  std::printf("%d entries, sum %d\n", size, sum);
  cudaFree(d_list), cudaFree(d_size), cudaFree(d_lock);
  return size != n || sum != n * (n - 1) / 2;
}
