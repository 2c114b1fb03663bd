// All of the array is copied.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

__global__ void dot(const float* a, const float* b, float* out, int n) {
  __shared__ float s[128];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += a[i] * b[i];
  s[threadIdx.x] = sum;
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  }
  if (threadIdx.x == 0) *out = s[0];
}

int main() {
  const int n = 300;
  float *a = (float*)malloc(n * sizeof(float)), *b = (float*)malloc(n * sizeof(float)), *da, *db, *out, got;
  for (int i = 0; i < n; ++i) a[i] = 1, b[i] = 2;
  cudaMalloc(&da, n * sizeof(float));
  cudaMalloc(&db, n * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemcpy(da, a, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, n * sizeof(float), cudaMemcpyHostToDevice);
  dot<<<1, 128>>>(da, db, out, n);
  cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%g\n", got);
  cudaFree(da);
  cudaFree(db);
  cudaFree(out);
  free(a);
  free(b);
}
