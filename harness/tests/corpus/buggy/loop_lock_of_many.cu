// Wrong: the block that finds the table full returns and keeps the lock; two dozen blocks wait for it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void insert(int* table, int* size, int* mutex, int capacity) {
  if (threadIdx.x == 0) {
    while (atomicCAS(mutex, 0, 1) != 0) __nanosleep(20);  // expect: infinite_loop
    __threadfence();
    if (*size == capacity) return;
    table[*size] = blockIdx.x;
    *size += 1;
    __threadfence();
    atomicExch(mutex, 0);
  }
}

int main() {
  const int blocks = 30, capacity = 5;
  int *d_table, *d_size, *d_mutex, size = 0;
  cudaMalloc(&d_table, capacity * sizeof(int));
  cudaMalloc(&d_size, sizeof(int));
  cudaMalloc(&d_mutex, sizeof(int));
  cudaMemset(d_size, 0, sizeof(int));
  cudaMemset(d_mutex, 0, sizeof(int));
  insert<<<blocks, 32>>>(d_table, d_size, d_mutex, capacity);
  cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d entries\n", size);
  cudaFree(d_table), cudaFree(d_size), cudaFree(d_mutex);
}
