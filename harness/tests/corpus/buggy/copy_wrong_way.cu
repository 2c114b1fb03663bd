// Wrong: source and destination of copies are exchanged, in ways that no direction tells of.
#include <cuda_runtime.h>

#include <cstdio>

constexpr cudaMemcpyKind kUp = cudaMemcpyHostToDevice;

__global__ void fill(int* x, int n) {
  const int i = threadIdx.x;
  if (i < n) x[i] = i * i;
}

__global__ void step(const float* now, float* next, int n) {
  const int i = threadIdx.x;
  if (i < n) next[i] = 0.5f * now[i] + 1;
}

__global__ void increment(int* x, int n) {
  const int i = threadIdx.x;
  if (i < n) x[i] += 1;  // expect: uninit_global; says: copied from it as it was
}

int main() {
  const int n = 64;
  int h[n] = {}, *sq, *counts, *in_place;
  float state[n] = {}, *now, *next;
  cudaMalloc(&sq, sizeof h);
  cudaMalloc(&in_place, sizeof h);
  cudaMalloc(&counts, sizeof h);
  cudaMalloc(&now, sizeof state);
  cudaMalloc(&next, sizeof state);

  fill<<<1, n>>>(sq, n);
  cudaMemcpy(sq, h, sizeof h, kUp);  // expect-warning: bad_api_call; says: nobody reads

  cudaMemcpy(in_place, h, sizeof h, cudaMemcpyHostToDevice);
  fill<<<1, n>>>(in_place, n);
  cudaMemcpy(in_place, h, sizeof h, cudaMemcpyHostToDevice);  // expect-warning: bad_api_call

  cudaMemcpy(now, state, sizeof state, cudaMemcpyHostToDevice);
  for (int i = 0; i < 3; ++i) {
    step<<<1, n>>>(now, next, n);
    cudaMemcpy(next, now, sizeof state, cudaMemcpyDeviceToDevice);  // expect-warning: bad_api_call
  }
  cudaMemcpy(state, now, sizeof state, cudaMemcpyDeviceToHost);

  cudaMemcpy(h, counts, sizeof h, cudaMemcpyDefault);
  increment<<<1, n>>>(counts, n);
  cudaMemcpy(h, counts, sizeof h, cudaMemcpyDefault);
  std::printf("%g\n", state[0]);
  cudaFree(sq);
  cudaFree(in_place);
  cudaFree(counts);
  cudaFree(now);
  cudaFree(next);
}
