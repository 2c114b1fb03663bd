// Puzzle 46, the rewriting: a kernel that is right, and whose listing shows what it should not. As it began
// it loaded 4 bytes at a time, worked in double, and was called slow for it. Write lean_kernel so that its
// listing for sm_90 has a load of 16 bytes and no instruction on doubles; `workbook sass 46 --rewrite` shows
// it. Where nvcc and nvdisasm are not installed, your source is judged in its place: it says so.
//
// gelu_fast stands in given.cuh; float4 has the members x, y, z and w. Grid of ceil(size / 4 / kBlockSize)
// blocks: four elements a thread; `size` is a multiple of 4, and both arrays begin at a multiple of 16 bytes.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "given.cuh"

constexpr int kSize = 4000;

__global__ void lean_kernel(float* y, const float* x, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // FILL ME IN: lean (roughly 5 lines)
  if (i >= size / 4) return;  // a predicated EXIT: the tail costs no branch
  // One LDG.E.128 and one STG.E.128 for four elements, where four pairs of LDG.E and STG.E stood. Every
  // literal in gelu_fast has its f: one that has none would make this thread convert, and multiply in double,
  // at a small part of the rate of FFMA.
  const float4 v = reinterpret_cast<const float4*>(x)[i];
  reinterpret_cast<float4*>(y)[i] = float4{gelu_fast(v.x), gelu_fast(v.y), gelu_fast(v.z), gelu_fast(v.w)};
  // END: lean
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

double gelu(double x) {
  return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / 3.14159265358979) * x * (1.0 + 0.044715 * x * x)));
}

int main() {
  std::vector<float> x(kSize), y(kSize);
  for (int i = 0; i < kSize; ++i) x[i] = static_cast<float>(i * 37 % kSize) * 0.003f - 6.0f;
  float *d_x = nullptr, *d_y = nullptr;
  check(cudaMalloc(&d_x, kSize * sizeof(float)), "cudaMalloc");
  check(cudaMalloc(&d_y, kSize * sizeof(float)), "cudaMalloc");
  check(cudaMemcpy(d_x, x.data(), kSize * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  check(cudaMemset(d_y, 0, kSize * sizeof(float)), "cudaMemset");

  lean_kernel<<<(kSize / 4 + kBlockSize - 1) / kBlockSize, kBlockSize>>>(d_y, d_x, kSize);
  check(cudaDeviceSynchronize(), "lean_kernel");
  check(cudaMemcpy(y.data(), d_y, kSize * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  int wrong = 0;
  for (int i = 0; i < kSize; ++i)
    if (!(std::fabs(y[i] - gelu(x[i])) <= 5e-4)) ++wrong;
  std::printf("%d of %d elements are wrong\n", wrong, kSize);
  for (float* memory : {d_x, d_y}) cudaFree(memory);
  return wrong == 0 ? 0 : 1;
}
