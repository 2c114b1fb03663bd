// Puzzle 46, what both programs are handed: GELU in its tanh form, as short as the hardware has it.
#pragma once

#include <cuda_runtime.h>

constexpr int kBlockSize = 256;

constexpr float kRoot = 0.7978845608f;  // sqrt(2 / pi)
constexpr float kCubic = 0.044715f;

__device__ inline float inner(float x) { return kRoot * x * (1.0f + kCubic * x * x); }

// 1 + tanh(v) is 2 / (1 + exp(-2v)): one exponential and one division, both in their short form.
__device__ inline float gelu_fast(float x) { return __fdividef(x, 1.0f + __expf(-2.0f * inner(x))); }
