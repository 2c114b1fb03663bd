// Tiles of 8 and of 32, each with shuffles, votes and barriers of its own, two tiles of a warp on different
// paths.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void tiles(int* out, const int* in) {
  __shared__ int rows[8][8];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto tile = cg::tiled_partition<8>(block);
  const int rank = tile.thread_rank(), t = block.thread_rank();
  int value = in[t];
  if (tile.meta_group_rank() % 2 == 0) {
    for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_xor(value, offset);
  } else {
    rows[tile.meta_group_rank()][rank] = value;
    tile.sync();
    value = rows[tile.meta_group_rank()][7 - rank];
  }
  const bool any = warp.any(value == 63);
  out[t] = any ? value : -value;
}

int main() {
  const int n = 64;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = i;
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  tiles<<<1, n>>>(d_out, d_in);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const int tile = i / 8, value = tile % 2 == 0 ? 64 * tile + 28 : 8 * tile + 7 - i % 8;
    wrong += out[i] != (i >= 32 ? value : -value);
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
