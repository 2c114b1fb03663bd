// Right: copies that one warp waits for, and a barrier of the block behind that; what a
// phase does when it ends finds the copies in place.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>

namespace cg = cooperative_groups;
constexpr int kThreads = 96;

struct Add {
  const int* tile;
  int* sum;
  __device__ void operator()() const {
    int s = 0;
    for (int i = 0; i < kThreads; ++i) s += tile[i];
    *sum = s;
  }
};

__global__ void one_warp_waits(const int* in, int* out) {
  __shared__ alignas(16) int tile[kThreads];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> here;
  const cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&here, kThreads);
  block.sync();
  cuda::memcpy_async(block, tile, in + blockIdx.x * kThreads, sizeof tile, here);
  auto token = here.arrive();
  if (threadIdx.x < 32) here.wait(std::move(token));
  block.sync();
  out[blockIdx.x * kThreads + threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

__global__ void both_stages(const int* in, int* out) {
  __shared__ alignas(16) int tile[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int stage = 0; stage < 2; ++stage) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile[stage], in + stage * kThreads, sizeof tile[stage], pipe);
    pipe.producer_commit();
  }
  for (int stage = 0; stage < 2; ++stage) {
    pipe.consumer_wait();
    out[stage * kThreads + threadIdx.x] += tile[stage][kThreads - 1 - threadIdx.x];
    pipe.consumer_release();
  }
}

__global__ void sums_when_complete(const int* in, int* out) {
  __shared__ alignas(16) int tile[kThreads];
  __shared__ int sum;
  using Barrier = cuda::barrier<cuda::thread_scope_block, Add>;
  __shared__ alignas(Barrier) char place[sizeof(Barrier)];
  auto* here = reinterpret_cast<Barrier*>(place);
  const cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x == 0) init(here, kThreads, Add{tile, &sum});
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof tile, *here);
  here->arrive_and_wait();
  if (threadIdx.x == 0) *out = sum;
}

int main() {
  const int n = 2 * kThreads;
  int h[n], *in, *out, sum = 0;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  one_warp_waits<<<2, kThreads>>>(in, out);
  both_stages<<<1, kThreads>>>(in, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  sums_when_complete<<<1, kThreads>>>(in, out);
  cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", h[0], sum);
  cudaFree(in);
  cudaFree(out);
  return h[0] != 2 * (kThreads - 1) || h[n - 1] != 2 * kThreads || sum != kThreads * (kThreads - 1) / 2;
}
