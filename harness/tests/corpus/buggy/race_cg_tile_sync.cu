// Wrong: tiles of 16 synchronise among themselves; the exchange goes across the whole block of 64.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void reverse(int* x) {
  __shared__ int tile[64];
  const cg::thread_block block = cg::this_thread_block();
  const auto group = cg::tiled_partition<16>(block);
  const int t = block.thread_rank();
  tile[t] = x[t];  // expect-other: race_shared
  group.sync();
  x[t] = tile[63 - t];  // expect: race_shared; may: uninit_shared
}

int main() {
  std::vector<int> x(64);
  for (int i = 0; i < 64; ++i) x[i] = i;
  int* d_x;
  cudaMalloc(&d_x, 64 * sizeof(int));
  cudaMemcpy(d_x, x.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  reverse<<<1, 64>>>(d_x);
  cudaMemcpy(x.data(), d_x, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("x[0] = %d, should be 63\n", x[0]);
  cudaFree(d_x);
}
