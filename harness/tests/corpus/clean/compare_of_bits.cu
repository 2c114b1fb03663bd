// Floating-point numbers by atomicCAS(): bits go in and out. A flag that a comparison of numbers decides is a
// whole number from the start, and so is a number of steps.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void greatest(float* best, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* const at = reinterpret_cast<int*>(best);
  int seen = *reinterpret_cast<volatile int*>(best);
  while (__int_as_float(seen) < x[i]) {
    const int now = atomicCAS(at, seen, __float_as_int(x[i]));
    if (now == seen) break;
    seen = now;
  }
}

__device__ double add(double* sum, double value) {
  unsigned long long* bits = (unsigned long long*)sum;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    const double next = value + __longlong_as_double(assumed);
    const unsigned long long next_bits = __double_as_longlong(next);
    old = atomicCAS(bits, assumed, (unsigned long long)next_bits);
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void total(double* sum, int* large, int* steps, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  add(sum, x[i]);
  atomicCAS(large, 0, x[i] > 50.0f ? 1 : 0);
  const float scale = 4.0f;
  atomicCAS(steps, 0, static_cast<int>(scale));
}

int main() {
  const int n = 100;
  float host[n], *x, *best;
  double* sum;
  int* flags;
  for (int i = 0; i < n; ++i) host[i] = i + 1.5f;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&best, sizeof(float));
  cudaMalloc(&sum, sizeof(double));
  cudaMalloc(&flags, 2 * sizeof(int));
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(best, 0, sizeof(float));
  cudaMemset(sum, 0, sizeof(double));
  cudaMemset(flags, 0, 2 * sizeof(int));
  greatest<<<1, 128>>>(best, x, n);
  total<<<1, 128>>>(sum, flags, flags + 1, x, n);
  double both = 0.0;
  cudaMemcpy(host, best, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(&both, sum, sizeof(double), cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", host[0], both);
  cudaFree(x);
  cudaFree(best);
  cudaFree(sum);
  cudaFree(flags);
  return host[0] == 100.5f && both == 5100.0 ? 0 : 2;
}
