// Wrong: every step of the scan reads an element that its neighbour overwrites in the same step.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 128;

__global__ void inclusive_scan(int* x) {
  __shared__ int sums[kBlock];
  const int t = threadIdx.x;
  sums[t] = x[t];
  __syncthreads();
  for (int offset = 1; offset < kBlock; offset *= 2) {
    if (t >= offset) sums[t] += sums[t - offset];  // expect: race_shared
    __syncthreads();
  }
  x[t] = sums[t];
}

int main() {
  std::vector<int> x(kBlock, 1);
  int* d_x;
  cudaMalloc(&d_x, kBlock * sizeof(int));
  cudaMemcpy(d_x, x.data(), kBlock * sizeof(int), cudaMemcpyHostToDevice);
  inclusive_scan<<<1, kBlock>>>(d_x);
  cudaMemcpy(x.data(), d_x, kBlock * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("the last sum is %d, should be %d\n", x.back(), kBlock);
  cudaFree(d_x);
}
