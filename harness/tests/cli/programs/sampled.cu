// Two kernels of a thousand blocks each: every block's result is needed, and each block relies on shared and
// device memory that it, or an earlier launch, has written. With "bad" a barrier is missing in every block.
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kBlocks = 1000, kThreads = 64;

__global__ void number(int* values, int* counted, bool bad) {
  __shared__ int mine[kThreads];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  mine[threadIdx.x] = threadIdx.x == 0 ? blockIdx.x : 0;
  if (!bad || threadIdx.x > kThreads) __syncthreads();
  if (threadIdx.x == kThreads - 1) values[blockIdx.x] = mine[0];
  __syncthreads();
  if (threadIdx.x % 32 == 0) atomicAdd(&count, 32);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(counted, count / kThreads);
}

__device__ int shifts[kBlocks];

__global__ void shift(int* to, const int* from) {
  if (threadIdx.x > 0) return;
  to[blockIdx.x] = from[(blockIdx.x + 1) % gridDim.x];
  shifts[blockIdx.x] = 1;
}

int main(int argc, char** argv) {
  const bool bad = argc > 1 && std::strcmp(argv[1], "bad") == 0;
  int *values, *shifted, *counted;
  cudaMalloc(&values, kBlocks * sizeof(int));
  cudaMalloc(&shifted, kBlocks * sizeof(int));
  cudaMalloc(&counted, sizeof(int));
  cudaMemset(counted, 0, sizeof(int));
  number<<<kBlocks, kThreads>>>(values, counted, bad);
  shift<<<kBlocks, kThreads>>>(shifted, values);
  std::vector<int> out(kBlocks);
  int count = 0;
  cudaMemcpy(out.data(), shifted, kBlocks * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&count, counted, sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int value : out) sum += value;
  std::printf("right: %d %d\n", sum, count);
  cudaFree(values);
  cudaFree(shifted);
  cudaFree(counted);
}
