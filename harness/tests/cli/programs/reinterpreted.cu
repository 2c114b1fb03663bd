// Sixteen bytes in registers, written as eight halves and read as one vector: nvcc compiles it as it is
// meant.
#include <cuda_fp16.h>

#include <cstdio>

__global__ void pack(uint4* out, const float* in) {
  uint4 bits = {};
  for (int i = 0; i < 8; ++i) reinterpret_cast<half*>(&bits)[i] = __float2half(in[i] + 1.0f);
  *out = bits;
}

int main() {
  float* in;
  uint4* out;
  cudaMallocManaged(&in, 8 * sizeof(float));
  cudaMallocManaged(&out, sizeof(uint4));
  for (int i = 0; i < 8; ++i) in[i] = static_cast<float>(i);
  pack<<<1, 1>>>(out, in);
  cudaDeviceSynchronize();
  const half* halves = reinterpret_cast<const half*>(out);
  for (int i = 0; i < 8; ++i) std::printf("%g ", static_cast<double>(__half2float(halves[i])));
  std::printf("\n");
  cudaFree(in);
  cudaFree(out);
}
