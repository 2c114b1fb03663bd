// Blocks fetch their work from a queue until it is empty: which block does what differs from run to run.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void drain(int* results, int* next, const int* lengths, int tasks) {
  __shared__ int task, sum;
  while (true) {
    if (threadIdx.x == 0) task = atomicAdd(next, 1), sum = 0;
    __syncthreads();
    if (task >= tasks) return;
    for (int k = threadIdx.x; k < lengths[task]; k += blockDim.x) atomicAdd(&sum, k);
    __syncthreads();
    if (threadIdx.x == 0) results[task] = sum;
    __syncthreads();
  }
}

int main() {
  const int tasks = 25;
  std::vector<int> lengths(tasks), results(tasks);
  for (int i = 0; i < tasks; ++i) lengths[i] = i * 13 % 100;
  int *d_lengths, *d_results, *d_next;
  cudaMalloc(&d_lengths, tasks * sizeof(int));
  cudaMalloc(&d_results, tasks * sizeof(int));
  cudaMalloc(&d_next, sizeof(int));
  cudaMemcpy(d_lengths, lengths.data(), tasks * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_next, 0, sizeof(int));
  drain<<<4, 64>>>(d_results, d_next, d_lengths, tasks);
  cudaMemcpy(results.data(), d_results, tasks * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < tasks; ++i) wrong += results[i] != lengths[i] * (lengths[i] - 1) / 2;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_lengths), cudaFree(d_results), cudaFree(d_next);
  return wrong != 0;
}
