// A cooperative grid of more threads than a process may have mappings for stacks with guards.
#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

constexpr int kBlocks = 72, kBlock = 1024;

__global__ void rotate(int* a) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int next = a[(i + 1) % (kBlocks * kBlock)];
  cooperative_groups::this_grid().sync();
  a[i] = next;
}

int main() {
  std::vector<int> a(kBlocks * kBlock);
  for (int i = 0; i < kBlocks * kBlock; ++i) a[i] = i;
  int* d;
  cudaMalloc(&d, a.size() * sizeof(int));
  cudaMemcpy(d, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice);
  void* arguments[] = {&d};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(rotate), dim3(kBlocks), dim3(kBlock), arguments);
  cudaMemcpy(a.data(), d, a.size() * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < kBlocks * kBlock; ++i) wrong += a[i] != (i + 1) % (kBlocks * kBlock);
  std::printf("%d wrong\n", wrong);
  cudaFree(d);
  return wrong != 0;
}
