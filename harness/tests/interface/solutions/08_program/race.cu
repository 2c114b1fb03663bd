#include <cstdio>

#include "given.cuh"

__global__ void race_kernel(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = 0;
  __syncthreads();
  // FILL ME IN: work (roughly 2 lines)
  tile[threadIdx.x] = threadIdx.x;
  store(out, threadIdx.x, tile[63 - threadIdx.x]);
  // END: work
}

int main(int, char** argv) {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  race_kernel<<<1, 64>>>(out);
  race_kernel<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  std::printf("threads: 64\nargument: %s\nnumber: %d\n", argv[1], number_in_data());
  cudaFree(out);
  return 0;
}
