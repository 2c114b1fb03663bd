// Wrong: the host reads pinned memory while the copy into it may be under way.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

int main() {
  const int n = 1000;
  float *x, *d_x, sum = 0.0f;
  cudaMallocHost(&x, n * sizeof(float));
  cudaMalloc(&d_x, n * sizeof(float));
  for (int i = 0; i < n; ++i) x[i] = 2.0f;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMemcpyAsync(d_x, x, n * sizeof(float), cudaMemcpyHostToDevice, s);
  square<<<(n + 127) / 128, 128, 0, s>>>(d_x, n);
  cudaMemcpyAsync(x, d_x, n * sizeof(float), cudaMemcpyDeviceToHost, s);  // expect-other: stream_race
  for (int i = 0; i < n; ++i) sum += x[i];                                // expect: stream_race
  std::printf("sum %g\n", sum);
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
  cudaFreeHost(x);
  cudaFree(d_x);
}
