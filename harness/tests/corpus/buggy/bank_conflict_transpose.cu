// Slow: the tile is read down its columns, and all 32 elements of a column lie in one bank. One more column
// in the declaration would spread them.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 32, kRows = 8;

__global__ void transpose(float* out, const float* in, int n) {
  __shared__ float tile[kTile][kTile];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];  // expect-advice: bank_conflict
}

int main() {
  const int n = 256;
  std::vector<float> in(n * n), out(n * n);
  for (int i = 0; i < n * n; ++i) in[i] = static_cast<float>(i % 1000);
  float *d_in, *d_out;
  cudaMalloc(&d_in, in.size() * sizeof(float));
  cudaMalloc(&d_out, out.size() * sizeof(float));
  cudaMemcpy(d_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
  transpose<<<dim3(n / kTile, n / kTile), dim3(kTile, kRows)>>>(d_out, d_in, n);
  cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[1] = %g\n", out[1]);
  cudaFree(d_in);
  cudaFree(d_out);
  return out[1] == in[n] ? 0 : 1;
}
