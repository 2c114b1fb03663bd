// Wrong: each thread takes a tile from a heap that holds 8 MB, and does not look whether it got one.
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void tiles(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* tile = static_cast<float*>(malloc(n * sizeof(float)));
  tile[0] = static_cast<float>(i);  // expect: oob_global
  y[i] = tile[0];
  free(tile);
}

__global__ void keep_tiles(float** y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = new float[n];              // expect-warning: leak
  y[i][0] = static_cast<float>(i);  // expect: oob_global
}

int main() {
  float *y, **p;
  cudaMalloc(&y, 256 * sizeof(float));
  cudaMalloc(&p, 256 * sizeof(float*));
  tiles<<<1, 1>>>(y, 4 << 20);
  keep_tiles<<<1, 256>>>(p, 16 << 10);
  cudaDeviceSynchronize();
  cudaFree(y), cudaFree(p);
}
