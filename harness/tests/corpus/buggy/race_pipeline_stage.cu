// Wrong: two stages are in flight and there is one buffer, so the next tile is copied over the one in use.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/pipeline>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kBlock = 64;

__global__ void square(float* out, const float* in, int tiles) {
  __shared__ float tile[kBlock];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x;
  for (int i = 0, fetched = 0; i < tiles; ++i) {
    for (; fetched < tiles && fetched < i + 2; ++fetched) {
      pipeline.producer_acquire();
      const float* next = in + fetched * kBlock;
      // a mark belongs to its line
      // clang-format off
      cuda::memcpy_async(block, tile, next, sizeof tile, pipeline);  // expect-other: race_shared; expect: copy_not_waited
      // clang-format on
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    out[i * kBlock + t] = tile[t] * tile[t];  // expect: race_shared, copy_not_waited
    pipeline.consumer_release();
  }
}

int main() {
  const int tiles = 6, n = tiles * kBlock;
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = static_cast<float>(i / kBlock);
  float *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  square<<<1, kBlock>>>(d_out, d_in, tiles);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[0] = %g, should be 0\n", out[0]);
  cudaFree(d_in);
  cudaFree(d_out);
}
