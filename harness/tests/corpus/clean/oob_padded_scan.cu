// A scan pads its indices, and its array has room for that.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int N = 256;
#define PAD(i) ((i) + ((i) >> 5))

__global__ void exclusive_scan(int* data) {
  __shared__ int s[N + N / 32];
  const int t = threadIdx.x;
  s[PAD(2 * t)] = data[2 * t];
  s[PAD(2 * t + 1)] = data[2 * t + 1];
  int offset = 1;
  for (int d = N / 2; d > 0; d /= 2, offset *= 2) {
    __syncthreads();
    if (t < d) s[PAD(offset * (2 * t + 2) - 1)] += s[PAD(offset * (2 * t + 1) - 1)];
  }
  if (t == 0) s[PAD(N - 1)] = 0;
  for (int d = 1; d < N; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      int a = PAD(offset * (2 * t + 1) - 1), b = PAD(offset * (2 * t + 2) - 1);
      int v = s[a];
      s[a] = s[b];
      s[b] += v;
    }
  }
  __syncthreads();
  data[2 * t] = s[PAD(2 * t)];
  data[2 * t + 1] = s[PAD(2 * t + 1)];
}

int main() {
  int h[N], *d;
  for (int& v : h) v = 1;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  exclusive_scan<<<1, N / 2>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", h[0], h[N - 1]);
  cudaFree(d);
}
