// Slow: an array of structures of 32 bytes, of which each lane wants 4: every lane fetches a sector of its
// own.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Particle {
  float position[3], velocity[3], mass, charge;
};

__global__ void masses(float* out, const Particle* particles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = particles[i].mass;  // expect-advice: uncoalesced
}

int main() {
  const int n = 1 << 16;
  std::vector<Particle> particles(n, Particle{{0, 0, 0}, {1, 1, 1}, 2.0f, -1.0f});
  std::vector<float> out(n);
  Particle* d_particles;
  float* d_out;
  cudaMalloc(&d_particles, n * sizeof(Particle));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_particles, particles.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
  masses<<<n / 256, 256>>>(d_out, d_particles, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[0] = %g\n", out[0]);
  cudaFree(d_particles);
  cudaFree(d_out);
  return out[n - 1] == 2.0f ? 0 : 1;
}
