// Wrong: two buffers save the second barrier of an iteration, not the only one.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64;

__global__ void smooth_tiles(float* out, const float* in, int tiles) {
  __shared__ float buffer[2][kBlock];
  const int t = threadIdx.x;
  buffer[0][t] = in[t];  // expect-other: race_shared
  for (int i = 0; i < tiles; ++i) {
    const int now = i % 2, next = 1 - now;
    if (i + 1 < tiles) buffer[next][t] = in[(i + 1) * kBlock + t];  // expect-other: race_shared
    const float right = buffer[now][(t + 1) % kBlock];              // expect: race_shared; may: uninit_shared
    out[i * kBlock + t] = 0.5f * (buffer[now][t] + right);
  }
}

int main() {
  const int tiles = 5, n = tiles * kBlock;
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = static_cast<float>(i / kBlock);
  float *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  smooth_tiles<<<1, kBlock>>>(d_out, d_in, tiles);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[%d] = %g, should be %d\n", n - 1, out[n - 1], tiles - 1);
  cudaFree(d_in);
  cudaFree(d_out);
}
