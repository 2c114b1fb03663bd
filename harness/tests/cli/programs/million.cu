// A million reads past the end, or, with "clean", the same work without one.
#include <cstdio>
#include <cstring>

constexpr int kThreads = 1 << 20;

__global__ void sum_next(const float* in, float* out, int n, int shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + shift] + in[i];
}

int main(int argc, char** argv) {
  const bool clean = argc > 1 && std::strcmp(argv[1], "clean") == 0;
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, kThreads * sizeof(float));
  cudaMalloc(&out, kThreads * sizeof(float));
  cudaMemset(in, 0, kThreads * sizeof(float));
  sum_next<<<kThreads / 256, 256>>>(in, out, kThreads, clean ? 0 : kThreads);
  cudaFree(in);
  cudaFree(out);
}
