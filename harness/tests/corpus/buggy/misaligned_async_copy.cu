// Wrong: asynchronous copies of 8 bytes, each from one element further on: every second one begins in the
// middle of a pair.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64;

__global__ void add_neighbours(float* out, const float* in) {
  __shared__ float2 pairs[kBlock];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&pairs[t], &in[t], sizeof(float2));  // expect: misaligned
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = pairs[t].x + pairs[t].y;
}

int main() {
  std::vector<float> in(kBlock + 1, 2.0f), out(kBlock);
  float *d_in, *d_out;
  cudaMalloc(&d_in, in.size() * sizeof(float));
  cudaMalloc(&d_out, kBlock * sizeof(float));
  cudaMemcpy(d_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
  add_neighbours<<<1, kBlock>>>(d_out, d_in);
  cudaMemcpy(out.data(), d_out, kBlock * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[0] = %g, should be 4\n", out[0]);
  cudaFree(d_in);
  cudaFree(d_out);
}
