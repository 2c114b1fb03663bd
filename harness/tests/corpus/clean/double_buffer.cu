// Two tiles in turn: the next one is loaded while this one is in use, with one barrier an iteration.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64;

__global__ void smooth_tiles(float* out, const float* in, int tiles) {
  __shared__ float buffer[2][kBlock];
  const int t = threadIdx.x;
  buffer[0][t] = in[t];
  for (int i = 0; i < tiles; ++i) {
    const int now = i % 2, next = 1 - now;
    __syncthreads();  // `now` is full, and nobody reads `next` any more
    if (i + 1 < tiles) buffer[next][t] = in[(i + 1) * kBlock + t];
    out[i * kBlock + t] = buffer[now][t] + buffer[now][(t + 1) % kBlock];
  }
}

int main() {
  const int tiles = 7, n = tiles * kBlock;
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = static_cast<float>(i);
  float *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  smooth_tiles<<<1, kBlock>>>(d_out, d_in, tiles);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const int right = i / kBlock * kBlock + (i + 1) % kBlock;
    wrong += out[i] != static_cast<float>(i + right);
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
