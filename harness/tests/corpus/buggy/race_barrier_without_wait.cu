// Wrong: the threads arrive at the barrier and throw the token away: nobody waits.
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>
#include <utility>
#include <vector>

constexpr int kBlock = 128;

__global__ void rotate(int* x) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  __shared__ int tile[kBlock];
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, kBlock);
  __syncthreads();
  tile[t] = x[t];  // expect-other: race_shared
  [[maybe_unused]] auto token = barrier.arrive();
  x[t] = tile[(t + 40) % kBlock];  // expect: race_shared; may: uninit_shared
}

int main() {
  std::vector<int> x(kBlock);
  for (int i = 0; i < kBlock; ++i) x[i] = i;
  int* d_x;
  cudaMalloc(&d_x, kBlock * sizeof(int));
  cudaMemcpy(d_x, x.data(), kBlock * sizeof(int), cudaMemcpyHostToDevice);
  rotate<<<1, kBlock>>>(d_x);
  cudaMemcpy(x.data(), d_x, kBlock * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("x[0] = %d, should be 40\n", x[0]);
  cudaFree(d_x);
}
