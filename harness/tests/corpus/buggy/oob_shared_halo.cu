// Wrong: the tile has room for a block and its left halo; the right halo is stored behind it.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 128;

__global__ void average(float* out, const float* in, int n) {
  __shared__ float tile[kBlock + 1];
  const int i = blockIdx.x * kBlock + threadIdx.x, t = threadIdx.x + 1;
  tile[t] = in[i];
  if (threadIdx.x == 0) tile[0] = i > 0 ? in[i - 1] : 0.0f;
  if (threadIdx.x == kBlock - 1) tile[t + 1] = i + 1 < n ? in[i + 1] : 0.0f;  // expect: oob_shared
  __syncthreads();
  out[i] = (tile[t - 1] + tile[t] + tile[t + 1]) / 3.0f;  // expect-other: oob_shared
}

int main() {
  const int n = 4 * kBlock;
  std::vector<float> in(n, 3.0f), out(n);
  float *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  average<<<4, kBlock>>>(d_out, d_in, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[%d] = %g\n", kBlock - 1, out[kBlock - 1]);
  cudaFree(d_in);
  cudaFree(d_out);
}
