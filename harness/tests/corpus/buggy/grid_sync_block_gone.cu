// Wrong: a block returns, and the others wait for the whole grid.
#include <cooperative_groups.h>

__global__ void count(int* a) {
  if (blockIdx.x == 3) return;
  if (threadIdx.x == 0) a[blockIdx.x] = 1;
  cooperative_groups::this_grid().sync();  // expect: divergent_barrier
}

int main() {
  int* a;
  cudaMalloc(&a, 4 * sizeof(int));
  void* arguments[] = {&a};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(count), dim3(4), dim3(32), arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(a);
}
