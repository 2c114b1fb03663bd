// Wrong: the tile has a halo of one on each side, and only its middle is loaded.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64;

__global__ void blur(float* out, const float* in) {
  __shared__ float tile[kBlock + 2];
  const int i = blockIdx.x * kBlock + threadIdx.x, t = threadIdx.x + 1;
  tile[t] = in[i];
  __syncthreads();
  out[i] = 0.25f * tile[t - 1] + 0.5f * tile[t] + 0.25f * tile[t + 1];  // expect: uninit_shared
}

int main() {
  const int n = 5 * kBlock;
  std::vector<float> in(n, 8.0f), out(n);
  float *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  blur<<<5, kBlock>>>(d_out, d_in);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[0] = %g, out[1] = %g\n", out[0], out[1]);
  cudaFree(d_in);
  cudaFree(d_out);
}
