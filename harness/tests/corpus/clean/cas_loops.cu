// Correct: atomics that CUDA has not, made of atomicCAS(). The plain read that each begins with may be out of
// date, and the exchange that follows finds out.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ void atomic_max(float* most, float x) {
  int* const bits = reinterpret_cast<int*>(most);
  int seen = *bits;
  while (__int_as_float(seen) < x) {
    const int before = atomicCAS(bits, seen, __float_as_int(x));
    if (before == seen) return;
    seen = before;
  }
}

__device__ void atomic_multiply(double* product, double factor) {
  auto* const bits = reinterpret_cast<unsigned long long*>(product);
  unsigned long long seen = *bits, expected;
  do {
    expected = seen;
    seen = atomicCAS(bits, expected, __double_as_longlong(__longlong_as_double(expected) * factor));
  } while (seen != expected);
}

__global__ void extremes(float* most, int* least, double* product, const float* x, int n) {
  __shared__ float block_most;
  if (threadIdx.x == 0) block_most = -1e30f;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomic_max(&block_most, x[i]);
    const int rounded = static_cast<int>(x[i]);
    if (rounded < *least) atomicMin(least, rounded);
    if (i % 100 == 0) atomic_multiply(product, 2.0);
  }
  __syncthreads();
  if (threadIdx.x == 0) atomic_max(most, block_most);
}

int main() {
  const int n = 1000;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i * 37 % 1001 - 200);
  float *d_most, *d_x, most = -1e30f;
  int *d_least, least = 1 << 30;
  double *d_product, product = 1.0;
  cudaMalloc(&d_most, sizeof most);
  cudaMalloc(&d_least, sizeof least);
  cudaMalloc(&d_product, sizeof product);
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMemcpy(d_most, &most, sizeof most, cudaMemcpyHostToDevice);
  cudaMemcpy(d_least, &least, sizeof least, cudaMemcpyHostToDevice);
  cudaMemcpy(d_product, &product, sizeof product, cudaMemcpyHostToDevice);
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  extremes<<<8, 128>>>(d_most, d_least, d_product, d_x, n);
  cudaMemcpy(&most, d_most, sizeof most, cudaMemcpyDeviceToHost);
  cudaMemcpy(&least, d_least, sizeof least, cudaMemcpyDeviceToHost);
  cudaMemcpy(&product, d_product, sizeof product, cudaMemcpyDeviceToHost);
  std::printf("%g to %g, product %g\n", static_cast<double>(least), most, product);
  cudaFree(d_most);
  cudaFree(d_least);
  cudaFree(d_product);
  cudaFree(d_x);
  return most == 800.0f && least == -200 && product == 1024.0 ? 0 : 1;
}
