// A message in today's words: a release store and an acquire load of cuda::atomic_ref, no fence written out.
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/atomic>

__global__ void hand_over(int* data, int* flag, int* started, int* result) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (atomicAdd(started, 1) == 0) {
    data[0] = 40;
    data[1] = 2;
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) __nanosleep(20);
    *result = data[0] + data[1];
  }
}

int main() {
  int *d_data, *d_flag, *d_started, *d_result, result = 0;
  cudaMalloc(&d_data, 2 * sizeof(int));
  cudaMalloc(&d_flag, sizeof(int));
  cudaMalloc(&d_started, sizeof(int));
  cudaMalloc(&d_result, sizeof(int));
  cudaMemset(d_flag, 0, sizeof(int));
  cudaMemset(d_started, 0, sizeof(int));
  hand_over<<<2, 32>>>(d_data, d_flag, d_started, d_result);
  cudaMemcpy(&result, d_result, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("result %d\n", result);
  cudaFree(d_data), cudaFree(d_flag), cudaFree(d_started), cudaFree(d_result);
  return result != 42;
}
