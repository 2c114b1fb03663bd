// cuda::pipeline with two stages and a buffer for each: the block copies one tile ahead of the one it works
// on.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/pipeline>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kBlock = 64, kStages = 2;

__global__ void reverse_tiles(int* out, const int* in, int tiles) {
  __shared__ int stage[kStages][kBlock];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x;
  for (int i = 0, fetched = 0; i < tiles; ++i) {
    for (; fetched < tiles && fetched < i + kStages; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, stage[fetched % kStages], in + fetched * kBlock, kBlock * sizeof(int),
                         pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    out[i * kBlock + t] = stage[i % kStages][kBlock - 1 - t];
    pipeline.consumer_release();
  }
}

int main() {
  const int tiles = 6, n = tiles * kBlock;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = i;
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse_tiles<<<1, kBlock>>>(d_out, d_in, tiles);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += out[i] != i / kBlock * kBlock + kBlock - 1 - i % kBlock;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
