// Wrong: lanes 0 to 15 ask lane 20 for its value, and the mask says that lane 20 does not take part.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void broadcast(int* x) {
  const int lane = threadIdx.x;
  if (lane < 16) x[lane] = __shfl_sync(0x0000ffffu, x[lane], 20);  // expect: bad_warp_mask
}

int main() {
  std::vector<int> x(32);
  for (int i = 0; i < 32; ++i) x[i] = i;
  int* d_x;
  cudaMalloc(&d_x, 32 * sizeof(int));
  cudaMemcpy(d_x, x.data(), 32 * sizeof(int), cudaMemcpyHostToDevice);
  broadcast<<<1, 32>>>(d_x);
  cudaMemcpy(x.data(), d_x, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("x[0] = %d\n", x[0]);
  cudaFree(d_x);
}
