// Wrong: only the threads that hold an element come to the barrier.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 128;

__global__ void reverse_blocks(int* out, const int* in, int n) {
  __shared__ int tile[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  tile[threadIdx.x] = -1;  // may: race_shared
  if (i < n) {
    tile[threadIdx.x] = in[i];  // may: race_shared
    __syncthreads();            // expect: divergent_barrier
  }
  out[i] = tile[kBlock - 1 - threadIdx.x];  // may: race_shared
}

int main() {
  const int n = 200, blocks = 2;
  std::vector<int> in(n, 1), out(blocks * kBlock);
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, out.size() * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse_blocks<<<blocks, kBlock>>>(d_out, d_in, n);
  cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("out[0] = %d\n", out[0]);
  cudaFree(d_in);
  cudaFree(d_out);
}
