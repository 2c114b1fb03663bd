// GELU with the tanh formula, in float and on pairs of halves, and the share of the error that is half's.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define GELU_SCALING_FACTOR 0.7978845608028654f

__global__ void gelu_forward(float* out, const float* inp, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    float xi = inp[i];
    float cube = 0.044715f * xi * xi * xi;
    out[i] = 0.5f * xi * (1.0f + tanhf(GELU_SCALING_FACTOR * (xi + cube)));
  }
}

__global__ void gelu_forward_half2(half2* out, const half2* inp, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const half2 x = inp[i];
  const half2 cube = __hmul2(__hmul2(x, x), __hmul2(x, __float2half2_rn(0.044715f)));
  const half2 inner = __hmul2(__float2half2_rn(GELU_SCALING_FACTOR), __hadd2(x, cube));
  const float2 t = __half22float2(inner);
  const half2 tanh2 = __floats2half2_rn(tanhf(t.x), tanhf(t.y));
  out[i] = __hmul2(__hmul2(__float2half2_rn(0.5f), x), __hadd2(__float2half2_rn(1.0f), tanh2));
}

int main() {
  const int N = 2000;
  std::vector<float> inp(N), out(N);
  std::vector<half> inp_half(N), out_half(N);
  for (int i = 0; i < N; ++i) {
    inp[i] = 8.0f * i / N - 4.0f;
    inp_half[i] = __float2half(inp[i]);
  }
  float *d_inp, *d_out;
  half2 *d_inp_half, *d_out_half;
  cudaMalloc(&d_inp, N * sizeof(float));
  cudaMalloc(&d_out, N * sizeof(float));
  cudaMalloc(&d_inp_half, N * sizeof(half));
  cudaMalloc(&d_out_half, N * sizeof(half));
  cudaMemcpy(d_inp, inp.data(), N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_inp_half, inp_half.data(), N * sizeof(half), cudaMemcpyHostToDevice);
  gelu_forward<<<(N + 255) / 256, 256>>>(d_out, d_inp, N);
  gelu_forward_half2<<<(N / 2 + 255) / 256, 256>>>(d_out_half, d_inp_half, N / 2);
  cudaMemcpy(out.data(), d_out, N * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(out_half.data(), d_out_half, N * sizeof(half), cudaMemcpyDeviceToHost);
  double worst = 0.0, worst_half = 0.0;
  for (int i = 0; i < N; ++i) {
    const double x = inp[i];
    const double expected = 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x)));
    worst = std::fmax(worst, std::fabs(out[i] - expected));
    worst_half = std::fmax(worst_half, std::fabs(__half2float(out_half[i]) - expected));
  }
  std::printf("largest error %.2g in float, %.2g in half\n", worst, worst_half);
  cudaFree(d_inp);
  cudaFree(d_out);
  cudaFree(d_inp_half);
  cudaFree(d_out_half);
  return worst < 1e-5 && worst_half > 1e-5 && worst_half < 1e-2 ? 0 : 1;
}
