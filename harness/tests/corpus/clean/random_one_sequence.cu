// A sequence for each thread.
#include <curand_kernel.h>
#include <cstdio>

__global__ void draw(float* out, unsigned long long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state;
  curand_init(seed, i, 0, &state);
  out[i] = curand_uniform(&state);
}

int main() {
  float h[128], *d;
  cudaMalloc(&d, sizeof h);
  draw<<<2, 64>>>(d, 1234);
  draw<<<2, 64>>>(d, 1234);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0] > 0);
  cudaFree(d);
}
