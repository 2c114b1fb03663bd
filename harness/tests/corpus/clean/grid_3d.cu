// Three dimensions of blocks and threads over a volume whose sides no block divides.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fill(int* volume, int3 size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= size.x || y >= size.y || z >= size.z) return;
  volume[(z * size.y + y) * size.x + x] = x + 100 * y + 10000 * z;
}

int main() {
  const int3 size = make_int3(21, 10, 7);
  const int n = size.x * size.y * size.z;
  std::vector<int> volume(n);
  int* d_volume;
  cudaMalloc(&d_volume, n * sizeof(int));
  const dim3 block(8, 4, 2);
  const dim3 grid((size.x + 7) / 8, (size.y + 3) / 4, (size.z + 1) / 2);
  fill<<<grid, block>>>(d_volume, size);
  cudaMemcpy(volume.data(), d_volume, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += volume[i] != i % size.x + 100 * (i / size.x % size.y) + 10000 * (i / (size.x * size.y));
  std::printf("%d wrong\n", wrong);
  cudaFree(d_volume);
  return wrong != 0;
}
