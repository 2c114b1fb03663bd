// Wrong: row and column of w are exchanged. It is the last member of its struct, and what lies behind it
// belongs to the next stage: the address is inside shared memory, the index is not inside w.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kStages = 2, kRows = 4, kColumns = 32;

struct Stage {
  float x[kRows];
  float w[kRows][kColumns];
};

__global__ void sums_of_columns(float* out, const float* w) {
  __shared__ Stage stages[kStages];
  for (int s = 0; s < kStages; ++s)
    for (int r = 0; r < kRows; ++r) {
      stages[s].w[r][threadIdx.x] = w[(s * kRows + r) * kColumns + threadIdx.x];
      if (threadIdx.x == 0) stages[s].x[r] = 1.0f;
    }
  __syncthreads();
  float sum = 0.0f;
  for (int r = 0; r < kRows; ++r) sum += stages[0].w[threadIdx.x % 5][r];  // expect: oob_shared
  out[threadIdx.x] = sum;
}

int main() {
  float *d_out, *d_w;
  cudaMalloc(&d_out, kColumns * sizeof(float));
  cudaMalloc(&d_w, kStages * kRows * kColumns * sizeof(float));
  cudaMemset(d_w, 0, kStages * kRows * kColumns * sizeof(float));
  sums_of_columns<<<1, kColumns>>>(d_out, d_w);
  cudaDeviceSynchronize();
  cudaFree(d_out), cudaFree(d_w);
}
