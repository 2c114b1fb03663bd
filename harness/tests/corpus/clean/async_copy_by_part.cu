// Copies by all threads of the block, of which some wait once more than others, and by a tile of its own.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void scale(const float* in, float* out) {
  __shared__ float tile[128], row[32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const float* const from = in + blockIdx.x * 128;
  cg::wait(block);
  for (int turn = 0; turn < 2; ++turn) {
    cg::memcpy_async(block, tile, from, sizeof tile);
    cg::wait(block);
    if (warp.meta_group_rank() == turn) {
      cg::memcpy_async(warp, row, from + turn, sizeof row);
      cg::wait(warp);
    }
    block.sync();
  }
  out[blockIdx.x * 128 + threadIdx.x] = 2.0f * tile[threadIdx.x] + row[threadIdx.x % 32];
}

int main() {
  constexpr int kElements = 513;
  float *in, *out;
  cudaMalloc(&in, kElements * sizeof(float));
  cudaMalloc(&out, kElements * sizeof(float));
  cudaMemset(in, 0, kElements * sizeof(float));
  scale<<<kElements / 128, 128>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in), cudaFree(out);
}
