// Pi from random points: a cuRAND generator a thread, its state kept in global memory between two launches.
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <vector>

__global__ void setup(curandState* states, unsigned long long seed, int n) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < n) curand_init(seed, id, 0, &states[id]);
}

__global__ void throw_darts(curandState* states, unsigned int* hits, int darts, int n) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n) return;
  curandState state = states[id];
  unsigned int inside = 0;
  for (int d = 0; d < darts; ++d) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    inside += x * x + y * y <= 1.0f;
  }
  states[id] = state;
  hits[id] += inside;
}

int main() {
  const int n = 512, darts = 100, rounds = 2;
  curandState* d_states;
  unsigned int* d_hits;
  cudaMalloc(&d_states, n * sizeof(curandState));
  cudaMalloc(&d_hits, n * sizeof(unsigned int));
  cudaMemset(d_hits, 0, n * sizeof(unsigned int));
  setup<<<n / 128, 128>>>(d_states, 1234ULL, n);
  for (int r = 0; r < rounds; ++r) throw_darts<<<n / 128, 128>>>(d_states, d_hits, darts, n);
  std::vector<unsigned int> hits(n);
  cudaMemcpy(hits.data(), d_hits, n * sizeof(unsigned int), cudaMemcpyDeviceToHost);
  unsigned long long total = 0;
  for (unsigned int h : hits) total += h;
  const double pi = 4.0 * static_cast<double>(total) / (static_cast<double>(n) * darts * rounds);
  std::printf("pi is about %.4f\n", pi);
  cudaFree(d_states);
  cudaFree(d_hits);
  return std::fabs(pi - M_PI) < 0.03 ? 0 : 1;
}
