// Wrong: the left neighbour of element 0 is element -1.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void smooth(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1) return;
  const float left = in[i - 1];  // expect: oob_global
  out[i] = (left + in[i] + in[i + 1]) / 3.0f;
}

int main() {
  const int n = 256;
  const size_t bytes = n * sizeof(float);
  std::vector<float> in(n, 3.0f), out(n, 0.0f);
  float *d_in, *d_out;
  cudaMalloc(&d_in, bytes);
  cudaMalloc(&d_out, bytes);
  cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, bytes);
  smooth<<<2, 128>>>(d_out, d_in, n);
  cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost);
  std::printf("out[0] = %g, out[1] = %g\n", out[0], out[1]);
  cudaFree(d_in);
  cudaFree(d_out);
}
