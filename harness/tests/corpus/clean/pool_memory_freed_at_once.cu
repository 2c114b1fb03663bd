// The stream is waited for before its memory is freed.
#include <cuda_runtime.h>
#include <cstdio>
__global__ void work(float* scratch, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  scratch[i] = i * 0.5f;
  out[i] = scratch[i] + 1;
}
int main() {
  const int n = 4096;
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  float *scratch, *out;
  cudaMalloc(&out, n * sizeof(float));
  cudaMallocAsync(&scratch, n * sizeof(float), s);
  work<<<n / 256, 256, 0, s>>>(scratch, out, n);
  cudaStreamSynchronize(s);
  cudaFree(scratch);
  float h[16];
  cudaMemcpyAsync(h, out, sizeof h, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  printf("%g\n", h[4]);
  cudaFree(out);
  cudaStreamDestroy(s);
}
