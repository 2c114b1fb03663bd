// The block loads a tile together; only then do the threads without an element of their own return.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 128;

__global__ void nearest(int* out, const float* points, const float* centres, int n, int count) {
  __shared__ float cache[kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  if (t < count) cache[t] = centres[t];
  __syncthreads();
  if (i >= n) return;
  int best = 0;
  for (int c = 1; c < count; ++c)
    if (fabsf(points[i] - cache[c]) < fabsf(points[i] - cache[best])) best = c;
  out[i] = best;
}

int main() {
  const int n = 300, count = 10;
  std::vector<float> points(n), centres(count);
  std::vector<int> out(n);
  for (int i = 0; i < n; ++i) points[i] = static_cast<float>(i % count) + 0.25f;
  for (int c = 0; c < count; ++c) centres[c] = static_cast<float>(c);
  float *d_points, *d_centres;
  int* d_out;
  cudaMalloc(&d_points, n * sizeof(float));
  cudaMalloc(&d_centres, count * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_points, points.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_centres, centres.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  nearest<<<3, kBlock>>>(d_out, d_points, d_centres, n, count);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += out[i] != i % count;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_points), cudaFree(d_centres), cudaFree(d_out);
  return wrong != 0;
}
