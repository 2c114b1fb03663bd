// Wrong: blocks store elements of 2 bytes and of 1 to the same places.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void round_down(const float* in, half* out, unsigned char* sign, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int to = threadIdx.x;
  if (i < n) {
    out[to] = __float2half(in[i]);  // expect: race_global
    sign[to] = in[i] < 100;         // expect: race_global
  }
}

int main() {
  const int n = 256;
  float h[n], *in;
  half r[n], *out;
  unsigned char s[n], *sign;
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof r);
  cudaMalloc(&sign, sizeof s);
  cudaMemset(out, 0, sizeof r);
  cudaMemset(sign, 0, sizeof s);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  round_down<<<2, 128>>>(in, out, sign, n);
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  cudaMemcpy(s, sign, sizeof s, cudaMemcpyDeviceToHost);
  std::printf("%f %d\n", __half2float(r[3]), s[3]);
  cudaFree(in);
  cudaFree(out);
  cudaFree(sign);
}
