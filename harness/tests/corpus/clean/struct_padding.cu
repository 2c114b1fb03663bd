// Correct: a struct with padding is filled member by member in one kernel and copied whole in another.
#include <cuda_runtime.h>

#include <cstdio>

struct Particle {
  float x, y, z;
  double mass;  // four bytes of padding before it
  int steps;    // and four after it
};

__global__ void create(Particle* particles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  particles[i].x = 1.0f * i;
  particles[i].y = particles[i].z = 0.5f;
  particles[i].mass = 2.0;
  particles[i].steps = 0;
}

__global__ void move(Particle* particles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle mine = particles[i];
  mine.x += 0.25f * static_cast<float>(mine.mass);
  ++mine.steps;
  particles[i] = mine;
}

int main() {
  const int n = 300;
  Particle *d_particles, last;
  cudaMalloc(&d_particles, n * sizeof(Particle));
  create<<<3, 128>>>(d_particles, n);
  for (int step = 0; step < 4; ++step) move<<<3, 128>>>(d_particles, n);
  cudaMemcpy(&last, d_particles + n - 1, sizeof(Particle), cudaMemcpyDeviceToHost);
  std::printf("x %.2f after %d steps\n", last.x, last.steps);
  cudaFree(d_particles);
  return last.x == 301.0f && last.steps == 4 ? 0 : 1;
}
