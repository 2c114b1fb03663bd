// Wrong: reductions on two streams share their temporary storage.
#include <cuda_runtime.h>
#include <cstdio>
#include <cub/cub.cuh>
int main() {
  const int n = 1000;
  float *a, *b, *out;
  void *t1 = nullptr, *t2 = nullptr;
  size_t bytes = 0;
  cudaMalloc(&a, n * 4);
  cudaMalloc(&b, n * 4);
  cudaMalloc(&out, 8);
  cudaMemset(a, 0, n * 4);
  cudaMemset(b, 0, n * 4);
  cudaStream_t s1, s2;
  cudaStreamCreate(&s1);
  cudaStreamCreate(&s2);
  cub::DeviceReduce::Sum(nullptr, bytes, a, out, n);
  cudaMalloc(&t1, bytes);
  t2 = t1;
  cudaDeviceSynchronize();
  cub::DeviceReduce::Sum(t1, bytes, a, out, n, s1);      // expect-other: stream_race
  cub::DeviceReduce::Sum(t2, bytes, b, out + 1, n, s2);  // expect: stream_race; says: t1[0]
  cudaDeviceSynchronize();
  float h[2];
  cudaMemcpy(h, out, 8, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[1]);
  if (t2 != t1) cudaFree(t2);
  cudaFree(t1);
  cudaFree(a);
  cudaFree(b);
  cudaFree(out);
  cudaStreamDestroy(s1);
  cudaStreamDestroy(s2);
}
