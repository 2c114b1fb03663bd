// Wrong: the time between events is asked for before the host has waited.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void work(float* x) {
  for (int k = 0; k < 100; ++k) x[threadIdx.x] = x[threadIdx.x] * 0.5f + 1.0f;
}

int main() {
  float* d;
  cudaMalloc(&d, 256 * sizeof(float));
  cudaMemset(d, 0, 256 * sizeof(float));
  cudaEvent_t a, b;
  cudaEventCreate(&a);
  cudaEventCreate(&b);
  cudaEventRecord(a);
  work<<<1, 256>>>(d);
  cudaEventRecord(b);
  float ms = -1.0f;
  cudaEventElapsedTime(&ms, a, b);  // expect: bad_api_call
  printf("%s\n", ms >= 0.0f ? "timed" : "not timed");
  cudaDeviceSynchronize();
  cudaEventDestroy(a);
  cudaEventDestroy(b);
  cudaFree(d);
}
