// Wrong: where nothing is found neither end of a range is set, and their difference is stored.
#include <cuda_runtime.h>
#include <cstdio>

__device__ void range(const int* x, int n, int* low, int* high) {
  for (int i = 0; i < n; ++i)
    if (x[i] > 5) {
      *low = i;
      *high = i + 1;
      break;
    }
}

__global__ void lengths(int* out, const int* x, int n) {
  int low, high;  // expect-other: uninit_local
  range(x + threadIdx.x * n, n, &low, &high);
  out[threadIdx.x] = high - low;  // expect: uninit_local
}

int main() {
  int host[64];
  int *x, *out;
  for (int& value : host) value = 1;
  host[0] = 9;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&out, 16 * sizeof(int));
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  lengths<<<1, 16>>>(out, x, 4);
  cudaMemcpy(host, out, 16 * sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < 16; ++i) sum += host[i];
  std::printf("%d\n", sum);
  cudaFree(x);
  cudaFree(out);
}
