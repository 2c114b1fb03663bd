// Wrong: the stream waits for an event before anybody has recorded it, which is no wait at all.
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
  const int n = 400;
  int *x, *y, last = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaStream_t producer, consumer;
  cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking);
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  cudaStreamWaitEvent(consumer, filled, 0);
  fill<<<4, 128, 0, producer>>>(x, n);
  cudaEventRecord(filled, producer);
  twice<<<4, 128, 0, consumer>>>(y, x, n);
  cudaDeviceSynchronize();
  cudaMemcpy(&last, y + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("last %d\n", last);
  cudaStreamDestroy(producer), cudaStreamDestroy(consumer);
  cudaEventDestroy(filled);
  cudaFree(x), cudaFree(y);
}
