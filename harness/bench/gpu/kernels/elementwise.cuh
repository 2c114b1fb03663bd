// One operation a launch, as a framework without fusion runs them, and the same chains in one kernel.
#pragma once

constexpr float kSqrt2OverPi = 0.7978845608f;
constexpr float kGeluCubic = 0.044715f;

__global__ void cube_kernel(float* out, const float* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] * in[i] * in[i];
}

__global__ void gelu_inner_kernel(float* out, const float* x, const float* cube, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = kSqrt2OverPi * (x[i] + kGeluCubic * cube[i]);
}

__global__ void tanh_kernel(float* out, const float* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = tanhf(in[i]);
}

__global__ void gelu_gate_kernel(float* out, const float* x, const float* tanh_of, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = 0.5f * x[i] * (1.0f + tanh_of[i]);
}

__global__ void gelu_kernel(float* out, const float* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float x = in[i];
  out[i] = 0.5f * x * (1.0f + tanhf(kSqrt2OverPi * (x + kGeluCubic * x * x * x)));
}

__global__ void add_kernel(float* out, const float* a, const float* b, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = a[i] + b[i];
}

__global__ void relu_kernel(float* out, const float* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = fmaxf(in[i], 0.0f);
}

__global__ void scale_kernel(float* out, const float* in, float factor, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] * factor;
}

__global__ void add_relu_scale_kernel(float* out, const float* a, const float* b, float factor, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = fmaxf(a[i] + b[i], 0.0f) * factor;
}
