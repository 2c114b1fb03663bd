// Wrong: memory is given back in one stream while another may still read it.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

__global__ void copy(int* y, const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];  // expect-other: stream_race
}

int main() {
  const int n = 500;
  int *room, *y, last = 0;
  cudaMalloc(&y, n * sizeof(int));
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  cudaMallocAsync(&room, n * sizeof(int), a);
  fill<<<4, 128, 0, a>>>(room, n);
  cudaEventRecord(filled, a);
  cudaStreamWaitEvent(b, filled, 0);
  copy<<<4, 128, 0, b>>>(y, room, n);
  cudaFreeAsync(room, a);  // expect: stream_race
  cudaDeviceSynchronize();
  cudaMemcpy(&last, y + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("last %d\n", last);
  cudaStreamDestroy(a), cudaStreamDestroy(b);
  cudaEventDestroy(filled);
  cudaFree(y);
}
