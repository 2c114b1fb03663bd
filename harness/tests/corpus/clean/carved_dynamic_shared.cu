// One dynamic allocation carved into doubles, ints and bytes, the strictest alignment first.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void statistics(double* mean, int* maximum, int* odd, const int* x) {
  extern __shared__ __align__(8) unsigned char pool[];
  const int n = blockDim.x, t = threadIdx.x;
  double* sums = reinterpret_cast<double*>(pool);
  int* best = reinterpret_cast<int*>(sums + n);
  unsigned char* is_odd = reinterpret_cast<unsigned char*>(best + n);
  const int value = x[blockIdx.x * n + t];
  sums[t] = value;
  best[t] = value;
  is_odd[t] = value % 2 != 0;
  __syncthreads();
  if (t == 0) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += sums[i];
    mean[blockIdx.x] = sum / n;
  } else if (t == 1) {
    int m = best[0];
    for (int i = 1; i < n; ++i) m = max(m, best[i]);
    maximum[blockIdx.x] = m;
  } else if (t == 2) {
    int count = 0;
    for (int i = 0; i < n; ++i) count += is_odd[i];
    odd[blockIdx.x] = count;
  }
}

int main() {
  const int n = 33, blocks = 4;
  std::vector<int> x(n * blocks), maximum(blocks), odd(blocks);
  std::vector<double> mean(blocks);
  for (int i = 0; i < n * blocks; ++i) x[i] = i;
  int *d_x, *d_maximum, *d_odd;
  double* d_mean;
  cudaMalloc(&d_x, x.size() * sizeof(int));
  cudaMalloc(&d_mean, blocks * sizeof(double));
  cudaMalloc(&d_maximum, blocks * sizeof(int));
  cudaMalloc(&d_odd, blocks * sizeof(int));
  cudaMemcpy(d_x, x.data(), x.size() * sizeof(int), cudaMemcpyHostToDevice);
  statistics<<<blocks, n, n*(sizeof(double) + sizeof(int) + 1)>>>(d_mean, d_maximum, d_odd, d_x);
  cudaMemcpy(mean.data(), d_mean, blocks * sizeof(double), cudaMemcpyDeviceToHost);
  cudaMemcpy(maximum.data(), d_maximum, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(odd.data(), d_odd, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int b = 0; b < blocks; ++b)
    wrong += (mean[b] != b * n + 16.0) + (maximum[b] != b * n + n - 1) + (odd[b] != (b % 2 == 0 ? 16 : 17));
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x), cudaFree(d_mean), cudaFree(d_maximum), cudaFree(d_odd);
  return wrong != 0;
}
