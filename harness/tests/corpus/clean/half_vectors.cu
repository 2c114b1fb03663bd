// half2 and bfloat16 arithmetic on packed pairs, with a single half at the end of an odd row.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void axpy(__half* y, const __half* x, float a, int n) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 1 < n) {
    const __half2 xs = *reinterpret_cast<const __half2*>(x + i), ys = *reinterpret_cast<__half2*>(y + i);
    *reinterpret_cast<__half2*>(y + i) = __hfma2(__float2half2_rn(a), xs, ys);
  } else if (i < n) {
    y[i] = __float2half(a * __half2float(x[i]) + __half2float(y[i]));
  }
}

__global__ void to_bfloat(__nv_bfloat16* out, const __half* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __float2bfloat16(__half2float(in[i]));
}

int main() {
  const int n = 301;
  std::vector<__half> x(n), y(n);
  std::vector<__nv_bfloat16> z(n);
  for (int i = 0; i < n; ++i) x[i] = __float2half(static_cast<float>(i % 16)), y[i] = __float2half(0.5f);
  __half *d_x, *d_y;
  __nv_bfloat16* d_z;
  cudaMalloc(&d_x, n * sizeof(__half));
  cudaMalloc(&d_y, n * sizeof(__half));
  cudaMalloc(&d_z, n * sizeof(__nv_bfloat16));
  cudaMemcpy(d_x, x.data(), n * sizeof(__half), cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, y.data(), n * sizeof(__half), cudaMemcpyHostToDevice);
  axpy<<<2, 96>>>(d_y, d_x, 2.0f, n);
  to_bfloat<<<3, 128>>>(d_z, d_y, n);
  cudaMemcpy(z.data(), d_z, n * sizeof(__nv_bfloat16), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += __bfloat162float(z[i]) != 2.0f * static_cast<float>(i % 16) + 0.5f;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x), cudaFree(d_y), cudaFree(d_z);
  return wrong != 0;
}
