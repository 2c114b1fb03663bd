// Wrong: barriers of the block stand where the pipeline, and the barrier that copies arrive at, are to be
// waited for.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__global__ void by_pipeline(const int* from, int* out, int n) {
  extern __shared__ int tile[];
  const int* const in = from + blockIdx.x * n;
  const std::size_t bytes = n * sizeof(int);
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, tile, in, bytes, pipe);  // expect-other: copy_not_waited
  pipe.producer_commit();
  block.sync();
  out[blockIdx.x * n + threadIdx.x] = tile[n - 1 - threadIdx.x];  // expect: copy_not_waited
  pipe.consumer_release();
}

__global__ void by_barrier(const int* from, int* out, int n) {
  extern __shared__ int tile[];
  const int* const in = from + blockIdx.x * n;
  const std::size_t bytes = n * sizeof(int);
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> here;
  const cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&here, blockDim.x);
  block.sync();
  cuda::memcpy_async(block, tile, in, bytes, here);  // expect-other: copy_not_waited
  (void)here.arrive();
  block.sync();
  out[blockIdx.x * n + threadIdx.x] = tile[n - 1 - threadIdx.x];  // expect: copy_not_waited
}

int main() {
  const int n = 64, blocks = 3;
  int h[n * blocks], *in, *out;
  for (int i = 0; i < n * blocks; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  by_pipeline<<<blocks, n, n * sizeof(int)>>>(in, out, n);
  by_barrier<<<blocks, n, n * sizeof(int)>>>(in, out, n);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
