// Wrong: each thread keeps its row in an array of 64, and the row has 66 elements.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kKept = 64, kRow = 66;

__global__ void normalise(float* out, const float* x) {
  __shared__ float scale[32];
  scale[threadIdx.x] = 0.5f;
  __syncthreads();
  float row[kKept];
  const float* mine = x + threadIdx.x * kRow;
  float sum = 0.0f;
  for (int i = 0; i < kRow; ++i) {
    row[i] = mine[i] * scale[i % 32];  // expect: oob_local
    sum += row[i];                     // expect: oob_local
  }
  out[threadIdx.x] = sum;
}

int main() {
  float *d_x, *d_out;
  cudaMalloc(&d_x, 32 * kRow * sizeof(float));
  cudaMalloc(&d_out, 32 * sizeof(float));
  cudaMemset(d_x, 0, 32 * kRow * sizeof(float));
  normalise<<<1, 32>>>(d_out, d_x);
  cudaDeviceSynchronize();
  cudaFree(d_x), cudaFree(d_out);
}
