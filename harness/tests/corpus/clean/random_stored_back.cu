// States that are stored back, drawn from in place, begun anew with the same seed, and drawn from by
// reference.
#include <curand_kernel.h>

#include <cstdio>

template <class State>
__global__ void begin(State* states, unsigned long long seed) {
  const int i = threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}

template <class State>
__global__ void walk(State* states, float* position) {
  const int i = threadIdx.x;
  State local = states[i];
  for (int step = 0; step < 8; ++step) position[i] += curand_uniform(&local) - 0.5f;
  states[i] = local;
}

template <class State>
__device__ float exponential(State& state) {
  return -logf(curand_uniform(&state));
}

template <class State>
__global__ void wait(State* states, float* times) {
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += exponential(states[threadIdx.x]);
  times[threadIdx.x] = sum + curand_normal(&states[threadIdx.x]);
}

// The same numbers in each launch, as the seed says.
__global__ void begin_here(float* out) {
  curandState state;
  for (int k = 0; k < 2; ++k) {
    curand_init(3, threadIdx.x, 0, &state);
    out[threadIdx.x] = curand_uniform(&state);
  }
}

template <class State>
void run(float* d) {
  State* states;
  cudaMalloc(&states, 64 * sizeof(State));
  for (int round = 0; round < 2; ++round) {
    begin<<<1, 64>>>(states, 7);
    for (int k = 0; k < 3; ++k) walk<<<1, 64>>>(states, d);
    for (int k = 0; k < 2; ++k) wait<<<1, 64>>>(states, d);
  }
  cudaFree(states);
}

int main() {
  float h[64], *d;
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  run<curandStateXORWOW>(d);
  run<curandStatePhilox4_32_10_t>(d);
  run<curandStateMRG32k3a>(d);
  for (int k = 0; k < 2; ++k) begin_here<<<1, 64>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0] > 0);
  cudaFree(d);
}
