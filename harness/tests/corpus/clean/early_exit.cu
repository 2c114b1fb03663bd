// Threads leave early at three places, and none of the others waits for them.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ int collatz(int start) {
  int steps = 0;
  for (long long v = start; v != 1; ++steps) {
    if (steps == 200) return -1;
    v = v % 2 == 0 ? v / 2 : 3 * v + 1;
  }
  return steps;
}

__global__ void steps(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i == 0) {
    out[0] = 0;
    return;
  }
  out[i] = collatz(i);
}

int main() {
  const int n = 333;
  std::vector<int> out(n);
  int* d_out;
  cudaMalloc(&d_out, n * sizeof(int));
  steps<<<3, 128>>>(d_out, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("27 takes %d steps\n", out[27]);
  cudaFree(d_out);
  return out[27] != 111 || out[0] != 0 || out[1] != 0;
}
