// Wrong: the last column of a row has no right neighbour: tile[ty][16] is the first element of the next row,
// and for the last row it is past the array.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 16;

__global__ void gradient(float* out, const float* in, int width) {
  __shared__ float tile[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * kTile + tx, y = blockIdx.y * kTile + ty;
  tile[ty][tx] = in[y * width + x];
  __syncthreads();
  out[y * width + x] = tile[ty][tx + 1] - tile[ty][tx];  // expect: oob_shared
}

int main() {
  const int width = 64, n = width * width;
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = static_cast<float>(i % width);
  float *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  gradient<<<dim3(width / kTile, width / kTile), dim3(kTile, kTile)>>>(d_out, d_in, width);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[14] = %g, out[15] = %g\n", out[14], out[15]);
  cudaFree(d_in);
  cudaFree(d_out);
}
