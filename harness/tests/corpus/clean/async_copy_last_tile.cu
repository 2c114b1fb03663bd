// What is left of the last tile is copied.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;
constexpr int kTile = 128;

__global__ void squares(const float* in, float* out, int n) {
  __shared__ alignas(16) float tile[kTile];
  auto block = cg::this_thread_block();
  for (int start = blockIdx.x * kTile; start < n; start += gridDim.x * kTile) {
    const int bytes = min(kTile, n - start) * sizeof(float);
    cg::memcpy_async(block, tile, in + start, bytes);
    cg::wait(block);
    int i = start + threadIdx.x;
    if (i < n) out[i] = tile[threadIdx.x] * tile[threadIdx.x];
    block.sync();
  }
}

int main() {
  const int n = 1000;
  std::vector<float> h(n, 3.0f);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  squares<<<3, kTile>>>(in, out, n);
  cudaMemcpy(h.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", h[0], h[n - 1]);
  cudaFree(in);
  cudaFree(out);
}
