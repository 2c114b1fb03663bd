// A pinned buffer is filled again when its copy has ended.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void add(int* total, const int* x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(total, x[i]);
}

int main() {
  const int n = 1024, chunks = 6;
  const cudaMemcpyKind in = cudaMemcpyHostToDevice;
  int *slot[2], *d[2], *total, h = 0;
  cudaStream_t s[2];
  cudaEvent_t copied[2];
  for (int k = 0; k < 2; ++k) {
    cudaMallocHost(&slot[k], n * sizeof(int));
    cudaMalloc(&d[k], n * sizeof(int));
    cudaStreamCreate(&s[k]);
    cudaEventCreate(&copied[k]);
  }
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  for (int c = 0; c < chunks; ++c) {
    const int k = c % 2;
    if (c >= 2) cudaEventSynchronize(copied[k]);
    for (int i = 0; i < n; ++i) slot[k][i] = c;
    cudaMemcpyAsync(d[k], slot[k], n * sizeof(int), in, s[k]);
    cudaEventRecord(copied[k], s[k]);
    add<<<1, 256, 0, s[k]>>>(total, d[k], n);
  }
  cudaDeviceSynchronize();
  cudaMemcpy(&h, total, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  for (int k = 0; k < 2; ++k) {
    cudaFreeHost(slot[k]);
    cudaFree(d[k]);
    cudaStreamDestroy(s[k]);
    cudaEventDestroy(copied[k]);
  }
  cudaFree(total);
}
