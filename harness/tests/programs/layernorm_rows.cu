// LayerNorm forward and backward of the input: a warp a row, four floats a load where the row allows it.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ inline float warp_sum(float v) {
  for (int mask = 16; mask > 0; mask >>= 1) v += __shfl_xor_sync(0xffffffffu, v, mask);
  return v;
}

__global__ void layernorm_forward(float* __restrict__ out, float* __restrict__ mean, float* __restrict__ rstd,
                                  const float* __restrict__ inp, const float* __restrict__ weight,
                                  const float* __restrict__ bias, int N, int C) {
  const int warps = blockDim.x / 32, lane = threadIdx.x & 31;
  const int row = blockIdx.x * warps + (threadIdx.x >> 5);
  if (row >= N) return;  // whole warps leave
  const float4* x = reinterpret_cast<const float4*>(inp + static_cast<size_t>(row) * C);
  float sum = 0.0f;
  for (int i = lane; i < C / 4; i += 32) {
    const float4 v = x[i];
    sum += v.x + v.y + v.z + v.w;
  }
  const float m = warp_sum(sum) / C;
  float squares = 0.0f;
  for (int i = lane; i < C / 4; i += 32) {
    const float4 v = x[i];
    squares += (v.x - m) * (v.x - m) + (v.y - m) * (v.y - m) + (v.z - m) * (v.z - m) + (v.w - m) * (v.w - m);
  }
  const float s = rsqrtf(warp_sum(squares) / C + 1e-5f);
  if (lane == 0 && mean != nullptr) __stcs(mean + row, m);
  if (lane == 0 && rstd != nullptr) __stcs(rstd + row, s);
  float4* y = reinterpret_cast<float4*>(out + static_cast<size_t>(row) * C);
  const float4 *w4 = reinterpret_cast<const float4*>(weight), *b4 = reinterpret_cast<const float4*>(bias);
  for (int i = lane; i < C / 4; i += 32) {
    const float4 v = x[i], w = w4[i], b = b4[i];
    y[i] = make_float4((v.x - m) * s * w.x + b.x, (v.y - m) * s * w.y + b.y, (v.z - m) * s * w.z + b.z,
                       (v.w - m) * s * w.w + b.w);
  }
}

__global__ void layernorm_backward_input(float* dinp, const float* dout, const float* inp,
                                         const float* weight, const float* mean, const float* rstd, int N,
                                         int C) {
  const int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= N) return;
  const float m = mean[row], s = rstd[row];
  float dnorm_mean = 0.0f, dnorm_norm_mean = 0.0f;
  for (int i = lane; i < C; i += 32) {
    const float norm = (inp[row * C + i] - m) * s, dnorm = weight[i] * dout[row * C + i];
    dnorm_mean += dnorm;
    dnorm_norm_mean += dnorm * norm;
  }
  dnorm_mean = warp_sum(dnorm_mean) / C;
  dnorm_norm_mean = warp_sum(dnorm_norm_mean) / C;
  for (int i = lane; i < C; i += 32) {
    const float norm = (inp[row * C + i] - m) * s, dnorm = weight[i] * dout[row * C + i];
    dinp[row * C + i] += (dnorm - dnorm_mean - norm * dnorm_norm_mean) * s;
  }
}

static std::vector<float> make_random(int n) {
  std::vector<float> v(n);
  for (float& x : v) x = 2.0f * static_cast<float>(rand()) / RAND_MAX - 1.0f;
  return v;
}

static float* to_device(const std::vector<float>& v) {
  float* d;
  cudaMalloc(&d, v.size() * sizeof(float));
  cudaMemcpy(d, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);
  return d;
}

int main() {
  const int N = 45, C = 192, block = 128, grid = (N + 3) / 4;
  const auto inp = make_random(N * C), weight = make_random(C), bias = make_random(C),
             dout = make_random(N * C);
  float *d_inp = to_device(inp), *d_weight = to_device(weight), *d_bias = to_device(bias),
        *d_dout = to_device(dout);
  float *d_out, *d_mean, *d_rstd, *d_dinp;
  cudaMalloc(&d_out, N * C * sizeof(float));
  cudaMalloc(&d_mean, N * sizeof(float));
  cudaMalloc(&d_rstd, N * sizeof(float));
  cudaMalloc(&d_dinp, N * C * sizeof(float));
  cudaMemset(d_dinp, 0, N * C * sizeof(float));
  layernorm_forward<<<grid, block>>>(d_out, d_mean, d_rstd, d_inp, d_weight, d_bias, N, C);
  layernorm_backward_input<<<grid, block>>>(d_dinp, d_dout, d_inp, d_weight, d_mean, d_rstd, N, C);
  std::vector<float> out(N * C), dinp(N * C);
  cudaMemcpy(out.data(), d_out, N * C * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(dinp.data(), d_dinp, N * C * sizeof(float), cudaMemcpyDeviceToHost);

  double worst = 0.0, worst_gradient = 0.0;
  for (int r = 0; r < N; ++r) {
    double m = 0.0, v = 0.0, a = 0.0, b = 0.0;
    for (int c = 0; c < C; ++c) m += inp[r * C + c] / static_cast<double>(C);
    for (int c = 0; c < C; ++c) v += (inp[r * C + c] - m) * (inp[r * C + c] - m) / C;
    const double s = 1.0 / std::sqrt(v + 1e-5);
    for (int c = 0; c < C; ++c) {
      const double norm = (inp[r * C + c] - m) * s, dnorm = weight[c] * dout[r * C + c];
      worst = std::fmax(worst, std::fabs(norm * weight[c] + bias[c] - out[r * C + c]));
      a += dnorm / C;
      b += dnorm * norm / C;
    }
    for (int c = 0; c < C; ++c) {
      const double norm = (inp[r * C + c] - m) * s, dnorm = weight[c] * dout[r * C + c];
      worst_gradient = std::fmax(worst_gradient, std::fabs((dnorm - a - norm * b) * s - dinp[r * C + c]));
    }
  }
  std::printf("largest error %.2g forward, %.2g backward\n", worst, worst_gradient);
  for (float* p : {d_inp, d_weight, d_bias, d_dout, d_out, d_mean, d_rstd, d_dinp}) cudaFree(p);
  return worst < 1e-4 && worst_gradient < 1e-4 ? 0 : 1;
}
