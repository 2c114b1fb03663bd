// Wrong: variables of a thread that are used before they have a value, followed to what is stored.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

struct Hit {
  float distance;
  int id;
};

__global__ void sums(const float* x, float* y, int n) {
  float sum;  // expect-other: uninit_local
  for (int i = 0; i < n; ++i) sum += x[i];
  y[threadIdx.x] = sum;  // expect: uninit_local
}

__global__ void latest_above(const float* x, int* y, float limit, int n) {
  int latest;  // expect-other: uninit_local
  for (int i = 0; i < n; ++i)
    if (x[i] > limit) latest = i;
  y[threadIdx.x] = latest;  // expect: uninit_local
}

__global__ void any_above(const float* x, int* y, float limit, int n) {
  bool found;  // expect-other: uninit_local
  for (int i = 0; i < n; ++i)
    if (x[i] > limit) found = true;
  y[threadIdx.x] = found ? 1 : 0;  // expect: uninit_local
}

__global__ void histogram(const float* x, int* y, int n) {
  int bins[4];  // expect-other: uninit_local
  for (int i = 0; i < n; ++i) ++bins[static_cast<int>(x[i]) & 3];
  for (int k = 0; k < 4; ++k) y[threadIdx.x * 4 + k] = bins[k];  // expect: uninit_local
}

__global__ void first_tap_missing(const float* x, float* y) {
  float taps[4];  // expect-other: uninit_local
  for (int k = 1; k < 4; ++k) taps[k] = x[k];
  y[threadIdx.x] = taps[0] + taps[1] + taps[2] + taps[3];  // expect: uninit_local
}

__device__ Hit trace(float x, int i) {
  Hit hit;  // expect-other: uninit_local
  hit.distance = -1.0f;
  if (x > 0.5f) hit.distance = x, hit.id = i;
  return hit;
}

__global__ void nearest(const float* x, int* y) {
  const int i = threadIdx.x;
  y[i] = trace(x[i], i).id;  // expect: uninit_local
}

__device__ void extend(const float* x, int n, float& low) {
  for (int i = 0; i < n; ++i) low = fminf(low, x[i]);
}

__global__ void lowest(const float* x, float* y, int n) {
  float low;  // expect-other: uninit_local
  extend(x, n, low);
  y[threadIdx.x] = low;  // expect: uninit_local
}

// What an earlier kernel left unset a later one reads.
__global__ void fill_half(float* y) {
  float v;  // expect-other: uninit_local
  if (threadIdx.x < 16) v = 1.0f;
  y[threadIdx.x] = v;  // expect: uninit_local
}
__global__ void add_up(const float* y, float* sum) {
  float s = 0.0f;
  for (int i = 0; i < 32; ++i) s += y[i];
  *sum = s;
}

// A variable of the program takes the place of memory from cudaMalloc.
__device__ float average;
__global__ void mean(const float* x, int n) {
  float sum;  // expect-other: uninit_local
  for (int i = 0; i < n; ++i) sum += x[i];
  average = sum / static_cast<float>(n);  // expect: uninit_local
}

// Of what is copied together the host reads the second kernel's part.
__global__ void first_part(float* y, int n) {
  float sum;
  if (n > 1000) sum = 1.0f;
  y[threadIdx.x] = 2.0f * sum;
}
__global__ void second_part(float* y, int n) {
  float sum;  // expect-other: uninit_local
  if (n > 1000) sum = 1.0f;
  y[threadIdx.x] = sum;  // expect: uninit_local
}

template <class T>
void show(const T* y, int n) {
  std::vector<T> got(n);  // clang traces no array of the host's stack
  T sum = 0;
  cudaMemcpy(got.data(), y, n * sizeof(T), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += got[i];
  std::printf("%g\n", static_cast<double>(sum));
}

int main() {
  constexpr int n = 32;
  float host[n] = {}, *x, *y, *sum;
  int* z;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  cudaMalloc(&z, 4 * sizeof host);
  cudaMalloc(&sum, sizeof(float));
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  sums<<<1, n>>>(x, y, n), show(y, n);
  latest_above<<<1, n>>>(x, z, 0.5f, n), show(z, n);
  any_above<<<1, n>>>(x, z, 0.5f, n), show(z, n);
  histogram<<<1, n>>>(x, z, n), show(z, 4 * n);
  first_tap_missing<<<1, n>>>(x, y), show(y, n);
  nearest<<<1, n>>>(x, z), show(z, n);
  lowest<<<1, n>>>(x, y, n), show(y, n);
  fill_half<<<1, n>>>(y);
  add_up<<<1, 1>>>(y, sum), show(sum, 1);
  mean<<<1, 1>>>(x, n);
  first_part<<<1, 4>>>(y, n), second_part<<<1, 4>>>(y + 4, n);
  std::vector<float> both(8);
  cudaMemcpy(both.data(), y, 8 * sizeof(float), cudaMemcpyDeviceToHost);
  std::fill(both.begin(), both.begin() + 4, 0.0f);
  std::printf("%g\n", static_cast<double>(both[6]));
  std::vector<float> got(1);
  cudaMemcpyFromSymbol(got.data(), average, sizeof(float));
  std::printf("%g\n", static_cast<double>(got[0]));
  cudaFree(x), cudaFree(y), cudaFree(z), cudaFree(sum);
}
