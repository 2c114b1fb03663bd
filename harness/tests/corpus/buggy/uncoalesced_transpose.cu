// Slow: the transpose reads along rows and writes along columns, a sector for every element written.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void transpose(float* out, const float* in, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) out[x * n + y] = in[y * n + x];  // expect-advice: uncoalesced
}

int main() {
  const int n = 512;
  std::vector<float> in(n * n), out(n * n);
  for (int i = 0; i < n * n; ++i) in[i] = static_cast<float>(i % 1000);
  float *d_in, *d_out;
  cudaMalloc(&d_in, in.size() * sizeof(float));
  cudaMalloc(&d_out, out.size() * sizeof(float));
  cudaMemcpy(d_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
  transpose<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(d_out, d_in, n);
  cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[1] = %g\n", out[1]);
  cudaFree(d_in);
  cudaFree(d_out);
  return out[1] == in[n] ? 0 : 1;
}
