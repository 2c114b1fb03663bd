// Wrong: an odd number is never met in steps of two; the loop touches no memory.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void last_of(unsigned int* out, unsigned int goal) {
  unsigned int i = 0, seen = 0;
  while (i != goal) {  // expect: infinite_loop
    i += 2;
    seen ^= i;
  }
  out[threadIdx.x] = seen;
}

int main() {
  unsigned int *d_out, out = 0;
  cudaMalloc(&d_out, 32 * sizeof(unsigned int));
  last_of<<<1, 32>>>(d_out, 7);
  cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  std::printf("%u\n", out);
  cudaFree(d_out);
}
