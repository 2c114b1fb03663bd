// Wrong: cudaMemset() goes to the default stream, for which a non-blocking stream does not wait.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void count(const int* x, int n, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i] % 8], 1);  // expect: stream_race
}

int main() {
  const int n = 640;
  int x[n], *d_x, *bins, first = 0;
  for (int i = 0; i < n; ++i) x[i] = i;
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMalloc(&d_x, sizeof x);
  cudaMalloc(&bins, 8 * sizeof(int));
  cudaMemcpyAsync(d_x, x, sizeof x, cudaMemcpyHostToDevice, s);
  cudaMemset(bins, 0, 8 * sizeof(int));  // expect-other: stream_race
  count<<<5, 128, 0, s>>>(d_x, n, bins);
  cudaStreamSynchronize(s);
  cudaMemcpy(&first, bins, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("first %d\n", first);
  cudaStreamDestroy(s);
  cudaFree(d_x), cudaFree(bins);
}
