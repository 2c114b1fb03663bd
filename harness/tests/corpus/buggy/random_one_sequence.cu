// Wrong: all threads draw the same random numbers.
#include <curand_kernel.h>
#include <cstdio>

__global__ void draw(float* out, unsigned long long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state;
  curand_init(seed, 0, 0, &state);  // expect-advice: bad_api_call
  out[i] = curand_uniform(&state);
}

int main() {
  float h[128], *d;
  cudaMalloc(&d, sizeof h);
  draw<<<2, 64>>>(d, 1234);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0] > 0);
  cudaFree(d);
}
