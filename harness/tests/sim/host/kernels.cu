#include "kernels.h"

__constant__ float coefficients[4];
__device__ int counter;

__global__ void fill(int* y, int n, int value) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = value;
}

__global__ void add(int* y, int n, int value) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] += value;
}

__global__ void apply_coefficients(float* y, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = coefficients[i % 4];
}

__global__ void count() { atomicAdd(&counter, 1); }

__global__ void sum_first(const int* x, int* out, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  *out = sum;
}

__global__ void use_shared(int* y) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  y[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

__global__ void store_at(int* address) { *address = 1; }

template <class T>
__global__ void scale(T* y, int n, T factor) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] *= factor;
}
template __global__ void scale<int>(int*, int, int);
template __global__ void scale<float>(float*, int, float);

void fill_on(const workbook::sim::LaunchConfig& c, int* y, int n, int value) {
  fill<<<c.grid, c.block, c.shared_bytes, c.stream>>>(y, n, value);
}
void add_on(const workbook::sim::LaunchConfig& c, int* y, int n, int value) {
  add<<<c.grid, c.block, c.shared_bytes, c.stream>>>(y, n, value);
}
void apply_on(const workbook::sim::LaunchConfig& c, float* y, int n) {
  apply_coefficients<<<c.grid, c.block>>>(y, n);
}
void use_shared_on(const workbook::sim::LaunchConfig& c, int* y) {
  use_shared<<<c.grid, c.block, c.shared_bytes, c.stream>>>(y);
}
void count_on(const workbook::sim::LaunchConfig& c) { count<<<c.grid, c.block>>>(); }
void store_on(const workbook::sim::LaunchConfig& c, int* address) { store_at<<<c.grid, c.block>>>(address); }
