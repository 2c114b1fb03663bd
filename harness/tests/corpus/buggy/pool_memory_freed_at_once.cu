// Wrong: memory of a pool is freed by cudaFree, which waits for nothing then, with a kernel under way.
#include <cuda_runtime.h>
#include <cstdio>
__global__ void work(float* scratch, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  scratch[i] = i * 0.5f;  // expect-other: stream_race
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
  cudaFree(scratch);  // expect: stream_race; says: which kernel work, on stream s, writes
  float h[16];
  cudaMemcpyAsync(h, out, sizeof h, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  printf("%g\n", h[4]);
  cudaFree(out);
  cudaStreamDestroy(s);
}
