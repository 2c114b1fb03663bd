// Wrong: 50 elements are walked with a stride of 32. In the second turn 18 lanes vote, with a mask that names
// all, and the other 14 are already waiting in the shuffle below.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void count_negative(int* counts, const int* x, int n) {
  const int lane = threadIdx.x;
  int total = 0;
  for (int i = lane; i < n; i += 32)
    total += __popc(__ballot_sync(0xffffffffu, x[i] < 0));  // expect: bad_warp_mask
  counts[lane] = __shfl_sync(0xffffffffu, total, 0);        // expect-other: bad_warp_mask
}

int main() {
  const int n = 50;
  std::vector<int> x(n, -1);
  int *d_x, *d_counts, count = 0;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_counts, 32 * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  count_negative<<<1, 32>>>(d_counts, d_x, n);
  cudaMemcpy(&count, d_counts, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d are negative, should be %d\n", count, n);
  cudaFree(d_x);
  cudaFree(d_counts);
}
