// Wrong in ten ways, a kernel each: ten findings, and the program lives to its end.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kBlock = 64;

__global__ void past_the_end(float* x) { x[threadIdx.x + 1] = 1.0f; }  // expect: oob_global

__global__ void past_the_tile(float* x) {
  __shared__ float tile[kBlock];
  tile[threadIdx.x + 1] = 2.0f;  // expect: oob_shared
  __syncthreads();
  x[threadIdx.x] = threadIdx.x > 0 ? tile[threadIdx.x] : 0.0f;
}

__global__ void odd_vector(float* x) {
  if (threadIdx.x == 0) reinterpret_cast<float2*>(x + 1)[0] = make_float2(1.0f, 2.0f);  // expect: misaligned
}

__global__ void never_written(float* x, const float* fresh) {
  x[threadIdx.x] = fresh[threadIdx.x];  // expect: uninit_global
}

__global__ void never_loaded(float* x) {
  __shared__ float tile[kBlock];
  if (threadIdx.x > 0) tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[threadIdx.x];  // expect: uninit_shared
}

__global__ void no_barrier(float* x) {
  __shared__ float tile[kBlock];
  tile[threadIdx.x] = x[threadIdx.x];               // expect-other: race_shared
  x[threadIdx.x] = tile[kBlock - 1 - threadIdx.x];  // expect: race_shared; may: uninit_shared
}

__global__ void no_atomic(float* x) { x[0] += 1.0f; }  // expect: race_global

__global__ void half_a_barrier(float* x) {
  if (threadIdx.x < kBlock / 2) __syncthreads();  // expect: divergent_barrier
  x[threadIdx.x] = 0.0f;
}

__global__ void half_a_mask(float* x) {
  if (threadIdx.x % 2 == 0)
    x[threadIdx.x] = __shfl_xor_sync(0xffffffffu, x[threadIdx.x], 1);  // expect: bad_warp_mask
}

__global__ void no_end(float* x) {
  while (x[kBlock - 1] < 1.0f) x[threadIdx.x] = 0.0f;  // expect: infinite_loop; may: race_global
}

int main() {
  float *x, *fresh;
  cudaMalloc(&x, kBlock * sizeof(float));
  cudaMalloc(&fresh, kBlock * sizeof(float));
  cudaMemset(x, 0, kBlock * sizeof(float));
  past_the_end<<<1, kBlock>>>(x);
  past_the_tile<<<1, kBlock>>>(x);
  odd_vector<<<1, kBlock>>>(x);
  never_written<<<1, kBlock>>>(x, fresh);
  never_loaded<<<1, kBlock>>>(x);
  no_barrier<<<1, kBlock>>>(x);
  no_atomic<<<2, kBlock>>>(x);
  half_a_barrier<<<1, kBlock>>>(x);
  half_a_mask<<<1, kBlock>>>(x);
  cudaMemset(x, 0, kBlock * sizeof(float));
  no_end<<<1, kBlock>>>(x);
  std::printf("the end: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
  cudaFree(fresh);
}
