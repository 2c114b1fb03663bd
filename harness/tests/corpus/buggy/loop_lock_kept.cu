// Wrong: a thread that finds the list full returns and keeps the lock; the next one waits for ever.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void append(int* list, int* size, int* mutex, int capacity) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(mutex, 0, 1) != 0) {  // expect: infinite_loop
  }
  __threadfence();
  if (*size == capacity) return;
  list[*size] = blockIdx.x;
  *size += 1;
  __threadfence();
  atomicExch(mutex, 0);
}

int main() {
  const int capacity = 4;
  int *d_list, *d_size, *d_mutex, size = 0;
  cudaMalloc(&d_list, capacity * sizeof(int));
  cudaMalloc(&d_size, sizeof(int));
  cudaMalloc(&d_mutex, sizeof(int));
  cudaMemset(d_size, 0, sizeof(int));
  cudaMemset(d_mutex, 0, sizeof(int));
  append<<<6, 32>>>(d_list, d_size, d_mutex, capacity);
  cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d entries\n", size);
  cudaFree(d_list), cudaFree(d_size), cudaFree(d_mutex);
}
