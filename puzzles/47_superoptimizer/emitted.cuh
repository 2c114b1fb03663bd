// Puzzle 47, given: kernels as --emit writes them, so that they are compiled with the program and run. A line
// is one that the program printed; around them stands what every such kernel has.
#pragma once

#include <string>
#include <vector>

__device__ inline float silu(float x) { return x / (1.0f + expf(-x)); }
/// The root of a mean of squares, from their sum.
__device__ inline float root(float sum, int count) { return sqrtf(sum / static_cast<float>(count) + 1e-5f); }

__global__ void rmsnorm_linear_kernel(float* y, const float* x, const float* g, const float* w, int B, int H,
                                      int O) {
  const int o = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
  if (o >= O) return;
  float n3 = {};
  float n4 = {};
  float n5 = {};
  float n6 = {};
  for (int h = 0; h < H; ++h) {
    n3 += x[b * H + h] * x[b * H + h];
    n4 = x[b * H + h] * g[h];
    n5 += w[h * O + o] * n4;
  }
  n3 = root(n3, H);
  n6 = n5 / n3;
  y[b * O + o] = n6;
}

__global__ void lora_linear_kernel(float* y, const float* x, const float* w, const float* a, const float* u,
                                   int B, int H, int O) {
  const int o = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
  constexpr int R = 16;
  if (o >= O) return;
  float n4 = {};
  float n5[R] = {};
  float n6 = {};
  float n7 = {};
  for (int h = 0; h < H; ++h) {
    n4 += x[b * H + h] * w[h * O + o];
    for (int r = 0; r < R; ++r) n5[r] += x[b * H + h] * a[h * R + r];
  }
  for (int r = 0; r < R; ++r) n6 += u[r * O + o] * n5[r];
  n7 = n4 + n6;
  y[b * O + o] = n7;
}

__global__ void gated_mlp_kernel(float* y, const float* x, const float* u, const float* w, int B, int H,
                                 int O) {
  const int o = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
  if (o >= O) return;
  float n3 = {};
  float n4 = {};
  float n5 = {};
  float n6 = {};
  for (int h = 0; h < H; ++h) {
    n3 += x[b * H + h] * u[h * O + o];
    n4 += x[b * H + h] * w[h * O + o];
  }
  n5 = silu(n3);
  n6 = n4 * n5;
  y[b * O + o] = n6;
}

__global__ void merged_linear_kernel(float* y, const float* x, const float* w, const float* a, const float* u,
                                     int B, int H, int O) {
  const int o = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
  constexpr int R = 16;
  if (o >= O) return;
  float n4 = {};
  float n5 = {};
  float n6 = {};
  for (int h = 0; h < H; ++h) {
    n4 = 0.0f;
    for (int r = 0; r < R; ++r) n4 += a[h * R + r] * u[r * O + o];
    n5 = w[h * O + o] + n4;
    n6 += x[b * H + h] * n5;
  }
  y[b * O + o] = n6;
}

/// Blocks of 32 columns, a row of the result each.
inline void launch_emitted(const std::string& program, float* y, const std::vector<float*>& in, int B, int H,
                           int O) {
  const dim3 grid((O + 31) / 32, B);
  if (program == "rmsnorm_linear") rmsnorm_linear_kernel<<<grid, 32>>>(y, in[0], in[1], in[2], B, H, O);
  if (program == "lora_linear") lora_linear_kernel<<<grid, 32>>>(y, in[0], in[1], in[2], in[3], B, H, O);
  if (program == "merged_linear") merged_linear_kernel<<<grid, 32>>>(y, in[0], in[1], in[2], in[3], B, H, O);
  if (program == "gated_mlp") gated_mlp_kernel<<<grid, 32>>>(y, in[0], in[1], in[2], B, H, O);
}
