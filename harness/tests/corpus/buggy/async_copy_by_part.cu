// Wrong: one thread calls what is a call of the whole block, and a sixteenth of the tile is copied.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void scale(const float* in, float* out) {
  __shared__ float tile[128];
  const auto block = cg::this_thread_block();
  const float* const from = in + blockIdx.x * 128;
  if (threadIdx.x == 0) {
    cg::memcpy_async(block, tile, from, sizeof tile);  // expect: bad_api_call; says: call of the whole block
  }
  cg::wait(block);
  out[blockIdx.x * 128 + threadIdx.x] = 2.0f * tile[threadIdx.x];  // expect: uninit_shared
}

int main() {
  constexpr int kElements = 512;
  float *in, *out;
  cudaMalloc(&in, kElements * sizeof(float));
  cudaMalloc(&out, kElements * sizeof(float));
  cudaMemset(in, 0, kElements * sizeof(float));
  scale<<<kElements / 128, 128>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in), cudaFree(out);
}
