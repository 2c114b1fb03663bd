// What is given beside kernels.cu: a function whose caller a finding has to name.
#pragma once

__attribute__((noinline)) __device__ inline void given_store(float* at, float value) {
  *at = value;  // the line that goes wrong, whoever calls
}

__attribute__((noinline)) __device__ inline float given_neighbour(float value) {
  return __shfl_xor_sync(0xffffffffu, value, 16);
}
