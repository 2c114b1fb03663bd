// Structs are copied whole, through shared memory and back, before anybody has set their last member.
#include <cuda_runtime.h>

#include <cstdio>

struct Particle {
  float x, y, z;
  double mass;
  int age;  // set by the second kernel
};

__global__ void create(Particle* p) {
  __shared__ Particle made[32];
  made[threadIdx.x].x = made[threadIdx.x].y = made[threadIdx.x].z = 1.0f;
  made[threadIdx.x].mass = 2.0;
  __syncthreads();
  p[threadIdx.x] = made[31 - threadIdx.x];
}

__global__ void grow_older(Particle* p) {
  Particle mine = p[threadIdx.x];
  mine.age = 1;
  p[threadIdx.x] = mine;
}

int main() {
  Particle *d, p[32];
  cudaMalloc(&d, sizeof p);
  create<<<1, 32>>>(d);
  grow_older<<<1, 32>>>(d);
  cudaMemcpy(p, d, sizeof p, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (const Particle& each : p) wrong += each.age != 1 || each.mass != 2.0;
  std::printf("%d wrong\n", wrong);
  cudaFree(d);
  return wrong != 0;
}
