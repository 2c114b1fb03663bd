// Wrong: the greatest and the sum of floating-point numbers, in loops over atomicCAS() that take the numbers'
// values for their bits.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void greatest(float* best, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* const at = reinterpret_cast<int*>(best);
  int seen = *reinterpret_cast<volatile int*>(best);
  while (seen < static_cast<int>(x[i])) {
    const int now =
        atomicCAS(at, seen, static_cast<int>(x[i]));  // expect-warning: bad_api_call; says: the value of x
    if (now == seen) break;
    seen = now;
  }
}

__device__ double add(double* sum, double value) {
  unsigned long long* bits = (unsigned long long*)sum;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old =
        atomicCAS(bits, assumed, value + assumed);  // expect-warning: bad_api_call; says: the value of value
  } while (assumed != old);
  return old;
}

__global__ void total(double* sum, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) add(sum, x[i]);
}

int main() {
  const int n = 100;
  float host[n], *x, *best;
  double* sum;
  for (int i = 0; i < n; ++i) host[i] = i + 1.5f;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&best, sizeof(float));
  cudaMalloc(&sum, sizeof(double));
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(best, 0, sizeof(float));
  cudaMemset(sum, 0, sizeof(double));
  greatest<<<1, 128>>>(best, x, n);
  total<<<1, 128>>>(sum, x, n);
  double both = 0.0;
  cudaMemcpy(host, best, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(&both, sum, sizeof(double), cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", host[0], both);
  cudaFree(x);
  cudaFree(best);
  cudaFree(sum);
}
