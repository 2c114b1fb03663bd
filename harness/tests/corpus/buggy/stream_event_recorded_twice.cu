// Wrong: one event for two streams: the third waits for what it was recorded for last.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void fill(int* x, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;  // expect-other: stream_race
}

__global__ void add(int* sum, const int* a, const int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];  // expect: stream_race
}

int main() {
  const int n = 512;
  int *a, *b, *sum, first = 0;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMalloc(&sum, n * sizeof(int));
  cudaStream_t s1, s2, s3;
  cudaStreamCreate(&s1), cudaStreamCreate(&s2), cudaStreamCreate(&s3);
  cudaEvent_t ready;
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  fill<<<4, 128, 0, s1>>>(a, n, 1);
  cudaEventRecord(ready, s1);
  fill<<<4, 128, 0, s2>>>(b, n, 2);
  cudaEventRecord(ready, s2);
  cudaStreamWaitEvent(s3, ready, 0);
  add<<<4, 128, 0, s3>>>(sum, a, b, n);
  cudaDeviceSynchronize();
  cudaMemcpy(&first, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("first %d\n", first);
  cudaStreamDestroy(s1), cudaStreamDestroy(s2), cudaStreamDestroy(s3);
  cudaEventDestroy(ready);
  cudaFree(a), cudaFree(b), cudaFree(sum);
}
