// One launch for the whole sum: the block that finishes last adds up what the others left behind the fence.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 128;

__device__ unsigned int finished = 0;

__device__ float block_sum(float value) {
  __shared__ float scratch[kBlock];
  const int t = threadIdx.x;
  __syncthreads();  // the scratch may still be in use
  scratch[t] = value;
  __syncthreads();
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) scratch[t] += scratch[t + stride];
    __syncthreads();
  }
  return scratch[0];
}

__global__ void sum(float* total, float* partial, const float* x, int n) {
  __shared__ bool last;
  float mine = 0.0f;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) mine += x[i];
  mine = block_sum(mine);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;  // wraps to 0 for the next launch
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  float all = 0.0f;
  for (unsigned int b = threadIdx.x; b < gridDim.x; b += kBlock) all += partial[b];
  all = block_sum(all);
  if (threadIdx.x == 0) *total = all;
}

int main() {
  const int n = 5000, blocks = 9;
  std::vector<float> x(n, 1.0f);
  float *d_x, *d_partial, *d_total, total = 0.0f;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_partial, blocks * sizeof(float));
  cudaMalloc(&d_total, sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int launch = 0; launch < 3; ++launch) sum<<<blocks, kBlock>>>(d_total, d_partial, d_x, n);
  cudaMemcpy(&total, d_total, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sum %g\n", total);
  cudaFree(d_x), cudaFree(d_partial), cudaFree(d_total);
  return total != n;
}
