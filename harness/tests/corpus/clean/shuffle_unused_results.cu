// Half a warp reduces under its own mask. In the first steps its upper lanes read lanes outside the mask;
// what they get is undefined, and reaches no result: only lane 0's sum counts.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum_of_16(int* out, const int* in) {
  const int lane = threadIdx.x;
  if (lane >= 16) return;
  int value = in[blockIdx.x * 16 + lane];
  for (int offset = 8; offset > 0; offset /= 2) value += __shfl_down_sync(0x0000ffffu, value, offset);
  if (lane == 0) out[blockIdx.x] = value;
}

int main() {
  const int blocks = 5, n = 16 * blocks;
  std::vector<int> in(n), out(blocks);
  for (int i = 0; i < n; ++i) in[i] = i;
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, blocks * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sum_of_16<<<blocks, 32>>>(d_out, d_in);
  cudaMemcpy(out.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int b = 0; b < blocks; ++b) wrong += out[b] != 256 * b + 120;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
