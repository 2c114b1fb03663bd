// Puzzle 40, given: a kernel for each operation. --unfused launches these one by one.
#pragma once

#include "given.cuh"

// out = LN(x). One block.
__global__ void layernorm_kernel(float* out, const float* x, Norm norm, int hidden) {
  float sum = 0.0f, squares = 0.0f;
  for (int i = threadIdx.x; i < hidden; i += kThreads) sum += x[i];
  const float mean = block_sum(sum) / hidden;
  for (int i = threadIdx.x; i < hidden; i += kThreads) squares += (x[i] - mean) * (x[i] - mean);
  const float scale = rsqrtf(block_sum(squares) / hidden + kEpsilon);
  for (int i = threadIdx.x; i < hidden; i += kThreads)
    out[i] = (x[i] - mean) * scale * __half2float(norm.gamma[i]) + __half2float(norm.beta[i]);
}

// out [outputs] = matrix [outputs, inputs] x [inputs]. A block has kRows outputs.
__global__ void linear_kernel(float* out, const half* matrix, const float* x, int inputs) {
  const int output = blockIdx.x * kRows;
  float sums[kRows] = {};
  add_products(sums, matrix + static_cast<size_t>(output) * inputs, x, inputs);
  const float product = sum_rows(sums);
  if (threadIdx.x < kRows) out[output + threadIdx.x] = product;
}

// Elementwise, the first two in place. Grid ceil(size / kThreads).
__global__ void add_bias_kernel(float* values, const half* bias, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) values[i] += __half2float(bias[i]);
}

__global__ void gelu_kernel(float* values, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) values[i] = gelu(values[i]);
}

__global__ void add_kernel(float* out, const float* a, const float* b, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + b[i];
}

// Turns the query and the key of each head where they lie. A block a head.
__global__ void rotary_kernel(float* qkv, const State* state, Size size) {
  for (int part = 0; part < 2; ++part) {  // the query, then the key
    float* head = qkv + (3 * blockIdx.x + part) * size.head();
    const int i = threadIdx.x;
    const float turned = i < size.rotary() ? rotated(head, i, state->position, size) : 0.0f;
    __syncthreads();  // each pair is read by two threads before either is overwritten
    if (i < size.rotary()) head[i] = turned;
  }
}

// Key and value of this token go into row `position` of the cache. A block a head.
__global__ void append_kernel(float* keys, float* values, const float* qkv, const State* state, Size size) {
  const float* head = qkv + 3 * blockIdx.x * size.head();
  const size_t row = static_cast<size_t>(state->position) * size.hidden + blockIdx.x * size.head();
  for (int i = threadIdx.x; i < size.head(); i += kHeadThreads) {
    keys[row + i] = head[size.head() + i];
    values[row + i] = head[2 * size.head() + i];
  }
}

// A block a head; attention_bytes() of shared memory.
__global__ void attention_kernel(float* context, const float* qkv, const float* keys, const float* values,
                                 const State* state, Size size) {
  extern __shared__ __align__(16) float shared[];
  for (int i = threadIdx.x; i < size.head(); i += kHeadThreads)
    shared[i] = qkv[3 * blockIdx.x * size.head() + i];
  __syncthreads();  // the query is there
  attend(context, shared, keys, values, shared + (1 + kHeadWarps) * size.head(), shared + size.head(),
         state->position, size);
}
