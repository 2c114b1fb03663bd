// Wrong: a kernel of one stream reads what a kernel of another one writes.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;  // expect-other: stream_race
}

__global__ void twice(int* y, const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];  // expect: stream_race
}

int main() {
  const int n = 400, streams = 2;
  int *x, *y, last = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaStream_t stream[streams];
  for (int s = 0; s < streams; ++s) cudaStreamCreate(&stream[s]);
  fill<<<4, 128, 0, stream[0]>>>(x, n);
  twice<<<4, 128, 0, stream[1]>>>(y, x, n);
  cudaDeviceSynchronize();
  cudaMemcpy(&last, y + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("last %d\n", last);
  for (int s = 0; s < streams; ++s) cudaStreamDestroy(stream[s]);
  cudaFree(x), cudaFree(y);
}
