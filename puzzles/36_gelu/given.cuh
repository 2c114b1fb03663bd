// Puzzle 36, what the learner is handed: the constants of GELU, and operators as an eager framework has them,
// a launch each.
#pragma once

#include <cuda_runtime.h>

constexpr int kBlockSize = 256;

constexpr float kRoot = 0.7978845608f;      // sqrt(2 / pi)
constexpr float kCubic = 0.044715f;         // fitted, so that the tanh form stays close to the exact one
constexpr float kInvRoot2 = 0.7071067812f;  // 1 / sqrt(2)

// One operation an element and nothing else: what is computed is out of all proportion to what is moved.
__global__ void multiply_kernel(float* out, const float* a, const float* b, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] * b[i];
}

__global__ void add_kernel(float* out, const float* a, const float* b, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + b[i];
}

__global__ void scale_kernel(float* out, const float* a, float factor, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] * factor;
}

__global__ void shift_kernel(float* out, const float* a, float term, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + term;
}

__global__ void tanh_kernel(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = tanhf(a[i]);
}

// Vectors of `size` elements and what can be done with them. Each call is a launch: it reads its operands
// from memory and writes a whole vector back, whatever comes before or after it.
struct Eager {
  int size;
  cudaStream_t stream;

  int blocks() const { return (size + kBlockSize - 1) / kBlockSize; }

  void multiply(float* out, const float* a, const float* b) const {
    multiply_kernel<<<blocks(), kBlockSize, 0, stream>>>(out, a, b, size);
  }
  void add(float* out, const float* a, const float* b) const {
    add_kernel<<<blocks(), kBlockSize, 0, stream>>>(out, a, b, size);
  }
  void scale(float* out, const float* a, float factor) const {
    scale_kernel<<<blocks(), kBlockSize, 0, stream>>>(out, a, factor, size);
  }
  void shift(float* out, const float* a, float term) const {
    shift_kernel<<<blocks(), kBlockSize, 0, stream>>>(out, a, term, size);
  }
  void tanh(float* out, const float* a) const {
    tanh_kernel<<<blocks(), kBlockSize, 0, stream>>>(out, a, size);
  }
};

// The vectors of the chain, in the order in which they come into being.
struct Chain {
  const float* x;
  float* half;      // 0.5 * x
  float* square;    // x * x
  float* cube;      // x * x * x
  float* cubic;     // kCubic * x^3
  float* sum;       // x + kCubic * x^3
  float* inner;     // kRoot * (x + kCubic * x^3)
  float* tanh;      // tanh(inner)
  float* one_plus;  // 1 + tanh(inner)
  float* y;         // 0.5 * x * (1 + tanh(inner))
};
