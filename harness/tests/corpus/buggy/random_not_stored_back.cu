// Wrong: each launch draws from a copy of the state that nobody stores back, and a function from a copy of
// its own.
#include <curand_kernel.h>

#include <cstdio>

__global__ void begin(curandState* states, unsigned long long seed) {
  const int i = threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}

__global__ void walk(const curandState* states, float* position) {
  const int i = threadIdx.x;
  curandState local = states[i];
  for (int step = 0; step < 8; ++step)
    position[i] += curand_uniform(&local) - 0.5f;  // expect-advice: bad_api_call
}

template <class State>
__device__ float exponential(State state) {
  return -logf(curand_uniform(&state));  // expect-advice: bad_api_call
}

__global__ void wait(float* times, unsigned long long seed) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, threadIdx.x, 0, &state);
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += exponential(state);
  times[threadIdx.x] = sum;
}

int main() {
  curandState* states;
  float h[64], *d;
  cudaMalloc(&states, 64 * sizeof(curandState));
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  begin<<<1, 64>>>(states, 7);
  for (int k = 0; k < 3; ++k) walk<<<1, 64>>>(states, d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  wait<<<1, 64>>>(d, 7);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0] > 0);
  cudaFree(states);
  cudaFree(d);
}
