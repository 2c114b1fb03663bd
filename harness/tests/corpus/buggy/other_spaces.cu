// Wrong: addresses that mean something else where they are used: two dynamic arrays that are one, another
// thread's variable, shared memory of a kernel that has ended, and the cache for what nobody writes.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int* kept;

__global__ void two_names(float* y) {
  extern __shared__ float values[];
  extern __shared__ int places[];
  const int t = threadIdx.x;
  values[t] = 1.5f * static_cast<float>(t);  // expect-other: oob_shared
  places[t] = 31 - t;                        // expect: oob_shared
  __syncthreads();
  y[t] = values[places[t]];
}

__global__ void of_thread_0(float* y) {
  __shared__ const float* shared;
  float mine[4];
  for (int k = 0; k < 4; ++k) mine[k] = static_cast<float>(threadIdx.x + k);
  if (threadIdx.x == 0) shared = mine;
  __syncthreads();
  y[threadIdx.x] = shared[threadIdx.x % 4];  // expect: oob_global
}

__global__ void keep() {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) kept = s;
}
__global__ void fetch(float* y) { y[threadIdx.x] = kept[threadIdx.x]; }  // expect: uninit_shared

__global__ void smooth(float* y) {
  const int t = threadIdx.x;
  y[t] = static_cast<float>(t);  // expect-other: race_global
  __syncthreads();
  const float left = __ldg(y + (t + 31) % 32);  // expect: race_global
  __syncthreads();
  y[t] = 0.5f * (y[t] + left);
}

int main() {
  float got[32] = {}, *y;
  cudaMalloc(&y, sizeof got);
  smooth<<<1, 32>>>(y);
  two_names<<<1, 32, 32 * sizeof(float) + 32 * sizeof(int)>>>(y);
  keep<<<1, 32>>>();
  fetch<<<1, 32>>>(y);
  of_thread_0<<<1, 32>>>(y);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(y);
}
