// Wrong: calls that fail, and a program that does not look.
#include <cstdio>

__global__ void load(const int* x, int* y) {
  extern __shared__ int room[];
  room[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = room[threadIdx.x] + 1;
}

int main() {
  int *x, *y, h[64] = {};
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaFuncSetAttribute(load, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       300 * 1024);  // expect: bad_api_call
  load<<<1, 64, sizeof h>>>(x, y);
  int* huge;
  cudaMalloc(&huge, std::size_t{1} << 50);     // expect: bad_api_call
  if (h[0] == 0) cudaMemset2D(y, 4, 0, 8, 2);  // expect: bad_api_call
  cudaMemcpyToSymbol(h, &h, sizeof h);         // expect: bad_api_call
  if (cudaSetDevice(7) != cudaSuccess) std::printf("one device\n");
  cudaSetDevice(7);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamQuery(stream);
  (void)cudaStreamDestroy(nullptr);
  cudaStreamDestroy(stream);
  cudaFree(x);
  cudaFree(y);
}
