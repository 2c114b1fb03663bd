// Wrong: the first kernel fills two of the three members, the second uses the third.
#include <cuda_runtime.h>

#include <cstdio>

struct Particle {
  float position, velocity, mass;
};

__global__ void create(Particle* particles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  particles[i].position = 0.1f * i;
  particles[i].velocity = 1.0f;
}

__global__ void momenta(float* out, const Particle* particles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = particles[i].mass * particles[i].velocity;  // expect: uninit_global
}

int main() {
  const int n = 100;
  Particle* d_particles;
  float *d_out, out = 0.0f;
  cudaMalloc(&d_particles, n * sizeof(Particle));
  cudaMalloc(&d_out, n * sizeof(float));
  create<<<1, 128>>>(d_particles, n);
  momenta<<<1, 128>>>(d_out, d_particles, n);
  cudaMemcpy(&out, d_out, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[0] = %g\n", out);
  cudaFree(d_particles);
  cudaFree(d_out);
}
