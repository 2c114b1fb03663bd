// Wrong: one writer takes the lock, the other forgets it.
#include <cuda_runtime.h>

#include <cstdio>

__device__ void lock(int* mutex) {
  while (atomicCAS(mutex, 0, 1) != 0) __nanosleep(20);
  __threadfence();
}

__device__ void unlock(int* mutex) {
  __threadfence();
  atomicExch(mutex, 0);
}

__global__ void deposit(int* balance, int* mutex) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x % 2 == 0) {
    lock(mutex);
    *balance += 10;  // expect-other: race_global
    unlock(mutex);
  } else {
    *balance -= 3;  // expect: race_global
  }
}

int main() {
  int *d_balance, *d_mutex, balance = 0;
  cudaMalloc(&d_balance, sizeof(int));
  cudaMalloc(&d_mutex, sizeof(int));
  cudaMemset(d_balance, 0, sizeof(int));
  cudaMemset(d_mutex, 0, sizeof(int));
  deposit<<<10, 32>>>(d_balance, d_mutex);
  cudaMemcpy(&balance, d_balance, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("balance %d, should be 35\n", balance);
  cudaFree(d_balance);
  cudaFree(d_mutex);
}
