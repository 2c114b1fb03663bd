// Wrong: 50 elements are walked with a stride of 32; in the second turn only 18 lanes are left to vote.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void count_negative(int* count, const int* x, int n) {
  const int lane = threadIdx.x;
  int total = 0;
  for (int i = lane; i < n; i += 32)
    total += __popc(__ballot_sync(0xffffffffu, x[i] < 0));  // expect: bad_warp_mask
  if (lane == 0) *count = total;
}

int main() {
  const int n = 50;
  std::vector<int> x(n, -1);
  int *d_x, *d_count, count = 0;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_count, sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  count_negative<<<1, 32>>>(d_count, d_x, n);
  cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d are negative, should be %d\n", count, n);
  cudaFree(d_x);
  cudaFree(d_count);
}
