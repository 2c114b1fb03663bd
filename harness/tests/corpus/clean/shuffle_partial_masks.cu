// Each half of a warp reduces on its own, in its own branch, with the mask of its own lanes.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void halves(int* out, const int* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int value = in[i];
  if (lane < 16) {
    for (int offset = 8; offset > 0; offset /= 2) value += __shfl_down_sync(0x0000ffffu, value, offset, 16);
  } else {
    for (int offset = 8; offset > 0; offset /= 2)
      value = max(value, __shfl_xor_sync(0xffff0000u, value, offset, 16));
  }
  if (lane == 0 || lane == 16) out[i / 16] = value;
}

int main() {
  const int n = 192;
  std::vector<int> in(n), out(n / 16);
  for (int i = 0; i < n; ++i) in[i] = i;
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n / 16 * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  halves<<<2, 96>>>(d_out, d_in);
  cudaMemcpy(out.data(), d_out, n / 16 * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int h = 0; h < n / 16; ++h) {
    const int sum = 16 * 16 * h + 120, largest = 16 * h + 15;
    wrong += out[h] != (h % 2 == 0 ? sum : largest);
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
