// Wrong: one pinned buffer is filled for the next part while the copy of the part before may still read it.
#include <cuda_runtime.h>
#include <cstdio>

int main() {
  const int n = 256, parts = 4;
  int *buffer, *d_x, last = 0;
  cudaMallocHost(&buffer, n * sizeof(int));
  cudaMalloc(&d_x, n * parts * sizeof(int));
  cudaStream_t s;
  cudaStreamCreate(&s);
  for (int p = 0; p < parts; ++p) {
    for (int i = 0; i < n; ++i) buffer[i] = p;  // expect: stream_race
    int* part = d_x + p * n;
    cudaMemcpyAsync(part, buffer, n * 4, cudaMemcpyHostToDevice, s);  // expect-other: stream_race
  }
  cudaStreamSynchronize(s);
  cudaMemcpy(&last, d_x + parts * n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("last %d\n", last);
  cudaStreamDestroy(s);
  cudaFreeHost(buffer);
  cudaFree(d_x);
}
