// Risky: __activemask() says which lanes happen to run together, not which ones took the branch; a warp may
// come here in pieces, and then the sum is in pieces too.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void count_large(int* count, const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 100) {
    const unsigned int mask = __activemask();  // expect-warning: bad_warp_mask
    const int leader = __ffs(mask) - 1;
    if (threadIdx.x % 32 == leader) atomicAdd(count, __popc(mask));
  }
}

int main() {
  const int n = 200;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) x[i] = 2 * i;
  int *d_x, *d_count, count = 0;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_count, sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_count, 0, sizeof(int));
  count_large<<<2, 128>>>(d_count, d_x, n);
  cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d are large\n", count);
  cudaFree(d_x);
  cudaFree(d_count);
}
