// Parts of arrays, copied and filled.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void count(int* bins, const int* keys, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[keys[i] & 63], 1);
}

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = static_cast<float>(i) * i;
}

int main() {
  const int n = 1024;
  std::vector<int> keys(n);
  for (int i = 0; i < n; ++i) keys[i] = i;
  std::vector<float> squares(n);
  int *d_keys, *d_bins, bins[64];
  float* d_squares;
  cudaMalloc(&d_keys, n * sizeof(int));
  cudaMalloc(&d_bins, sizeof bins);
  cudaMalloc(&d_squares, n * sizeof(float));
  cudaMemcpy(d_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, sizeof bins);
  count<<<4, 256>>>(d_bins, d_keys, n);
  cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
  // A quarter of the array is all that there is, and the host has the others from elsewhere.
  square<<<1, 256>>>(d_squares, n / 4);
  cudaMemcpy(squares.data(), d_squares, n / 4 * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += squares[i];
  square<<<4, 256>>>(d_squares, n);
  for (int part = 0; part < 4; ++part)
    cudaMemcpy(&squares[part * n / 4], d_squares + part * n / 4, n / 4 * sizeof(float),
               cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += squares[i];
  printf("%d %g\n", bins[0], sum);
  cudaFree(d_keys);
  cudaFree(d_bins);
  cudaFree(d_squares);
}
