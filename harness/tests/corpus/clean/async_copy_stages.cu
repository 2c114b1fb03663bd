// Tiles arrive by asynchronous copies, two in flight, with the primitives of cuda_pipeline.h.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64, kStages = 3;

__global__ void neighbours(float* out, const float* in, int tiles) {
  __shared__ __align__(16) float stage[kStages][kBlock];
  const int t = threadIdx.x;
  for (int fetch = 0; fetch < kStages - 1; ++fetch) {
    if (fetch < tiles) __pipeline_memcpy_async(&stage[fetch][t], &in[fetch * kBlock + t], sizeof(float));
    __pipeline_commit();
  }
  for (int i = 0; i < tiles; ++i) {
    const int fetch = i + kStages - 1;
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();  // everybody's copies of this tile are in, and the stage fetched into next is free
    if (fetch < tiles)
      __pipeline_memcpy_async(&stage[fetch % kStages][t], &in[fetch * kBlock + t], sizeof(float));
    __pipeline_commit();
    const float* tile = stage[i % kStages];
    out[i * kBlock + t] = tile[t] - tile[(t + kBlock - 1) % kBlock];
  }
}

int main() {
  const int tiles = 8, n = tiles * kBlock;
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = static_cast<float>(3 * i);
  float *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  neighbours<<<1, kBlock>>>(d_out, d_in, tiles);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += out[i] != (i % kBlock == 0 ? -3.0f * (kBlock - 1) : 3.0f);
  std::printf("%d wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
