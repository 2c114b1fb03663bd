// A block ends while copies are under way that nobody reads. The blocks behind it, and the next launch, store
// and read the same places in the ordinary way.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64;

__global__ void doubled(float* out, const float* in, int copied) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  if (t >= copied) {
    tile[t] = in[blockIdx.x * kBlock + t];
    out[blockIdx.x * kBlock + t] = 2.0f * tile[t];
  } else {
    out[blockIdx.x * kBlock + t] = 2.0f * in[blockIdx.x * kBlock + t];
    __pipeline_memcpy_async(&tile[t], &in[t], sizeof(float));
    __pipeline_commit();
  }
}

int main() {
  const int blocks = 4, n = blocks * kBlock;
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = static_cast<float>(i);
  float *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  int wrong = 0;
  for (int copied : {kBlock, kBlock / 2, 0}) {
    doubled<<<blocks, kBlock>>>(d_out, d_in, copied);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) wrong += out[i] != 2.0f * in[i];
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
