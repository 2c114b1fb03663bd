// Wrong: CUB is told of 256 threads in a row, and the block has 16 x 16.
#include <cuda_runtime.h>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

__global__ void brightest(int* out, const int* image, int width) {
  using Reduce = cub::BlockReduce<int, 256>;
  __shared__ Reduce::TempStorage storage;
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const int most = Reduce(storage).Reduce(image[y * width + x], cub::Max());  // expect: bad_api_call
  if (threadIdx.x == 0 && threadIdx.y == 0) out[blockIdx.y * gridDim.x + blockIdx.x] = most;
}

int main() {
  const int width = 64, height = 64;
  std::vector<int> image(width * height), out(16);
  for (int i = 0; i < width * height; ++i) image[i] = i * 31 % 255;
  int *d_image, *d_out;
  cudaMalloc(&d_image, image.size() * sizeof(int));
  cudaMalloc(&d_out, out.size() * sizeof(int));
  cudaMemcpy(d_image, image.data(), image.size() * sizeof(int), cudaMemcpyHostToDevice);
  brightest<<<dim3(4, 4), dim3(16, 16)>>>(d_out, d_image, width);
  cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", out[0]);
  cudaFree(d_image);
  cudaFree(d_out);
}
