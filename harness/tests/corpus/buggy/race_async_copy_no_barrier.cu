// Wrong: each thread waits for its own copy, and then reads its neighbour's: after the wait a barrier is
// needed.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64;

__global__ void differences(float* out, const float* in) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(float));  // expect-other: race_shared
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = tile[(t + 1) % kBlock] - tile[t];  // expect: race_shared; may: uninit_shared
}

int main() {
  std::vector<float> in(kBlock), out(kBlock);
  for (int i = 0; i < kBlock; ++i) in[i] = static_cast<float>(i);
  float *d_in, *d_out;
  cudaMalloc(&d_in, kBlock * sizeof(float));
  cudaMalloc(&d_out, kBlock * sizeof(float));
  cudaMemcpy(d_in, in.data(), kBlock * sizeof(float), cudaMemcpyHostToDevice);
  differences<<<1, kBlock>>>(d_out, d_in);
  cudaMemcpy(out.data(), d_out, kBlock * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[0] = %g, should be 1\n", out[0]);
  cudaFree(d_in);
  cudaFree(d_out);
}
