// Wrong: the asynchronous copy is committed and never waited for, so the tile is read while it still arrives.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64;

__global__ void square(float* out, const float* in) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  __pipeline_memcpy_async(&tile[t], &in[i], sizeof(float));  // expect-other: race_shared, copy_not_waited
  __pipeline_commit();
  out[i] = tile[t] * tile[t];  // expect: copy_not_waited; may: uninit_shared, race_shared
}

int main() {
  const int n = 4 * kBlock;
  std::vector<float> in(n, 3.0f), out(n);
  float *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  square<<<4, kBlock>>>(d_out, d_in);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[0] = %g, should be 9\n", out[0]);
  cudaFree(d_in);
  cudaFree(d_out);
}
