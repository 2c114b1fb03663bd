// Barriers, latches and semaphores of cuda::std, with and beside those of cuda.
#include <cuda/std/atomic>
#include <cuda/std/barrier>
#include <cuda/std/latch>
#include <cuda/std/semaphore>

#include <cuda/barrier>
#include <cuda/semaphore>

#include <cstdio>

using Semaphore = cuda::binary_semaphore<cuda::thread_scope_device>;

__device__ int box;

__global__ void make(Semaphore* full) { new (full) Semaphore(0); }

__global__ void hand_over(int* out, Semaphore* full) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    box = 42;
    full->release();
  } else {
    full->acquire();
    *out = box;
  }
}

__global__ void turn(int* x) {
  __shared__ cuda::std::barrier<> all;
  __shared__ cuda::barrier<cuda::thread_scope_block> again;
  __shared__ int values[64];
  if (threadIdx.x == 0) {
    init(&all, blockDim.x);
    init(&again, blockDim.x);
  }
  __syncthreads();
  values[threadIdx.x] = threadIdx.x;
  all.arrive_and_wait();
  const int other = values[63 - threadIdx.x];
  again.arrive_and_wait();
  values[threadIdx.x] = other;
  x[threadIdx.x] = values[threadIdx.x];
}

int main() {
  Semaphore* full;
  int *out, host[64] = {};
  cudaMalloc(&full, sizeof(Semaphore));
  cudaMalloc(&out, sizeof host);
  make<<<1, 1>>>(full);
  hand_over<<<2, 32>>>(out, full);
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  const int got = host[0];
  turn<<<1, 64>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", got, host[0]);
  cudaFree(full);
  cudaFree(out);
  return got == 42 && host[0] == 63 ? 0 : 2;
}
