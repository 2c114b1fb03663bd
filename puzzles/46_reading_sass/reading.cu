// Puzzle 46, the questions. Nothing is to be written in this file: it runs the kernels of kernels.cuh, and
// `workbook sass 46` and `workbook ptx 46` show what the compiler has made of them. The answers go into
// answers.txt, a line each, and are about the SASS for sm_90:
//
// vector: how many bytes does the widest load from global memory of vector_kernel move?
//
// scalar: and that of scalar_kernel?
//
// special: which functions of the special function unit does fast_kernel use? (in any order, as: sin cos)
//
// fma: how many FFMA has scalar_kernel, those under a predicate among them?
//
// tail: by what do the threads past the end leave branch_kernel, an exit or a branch?
//
// spilled: how many bytes does a thread of spill_kernel store because its registers do not suffice?
//
// registers: how many registers has a thread of spill_kernel?
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernels.cuh"

constexpr int kSize = 1000;
constexpr int kSpillSize = kValues * kSpillBlock;

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

double gelu(double x) {
  return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / 3.14159265358979) * x * (1.0 + 0.044715 * x * x)));
}

// Runs one kernel and says whether every element is GELU to four digits. Four elements a thread or one.
void run(const char* name, void (*kernel)(float*, const float*, int), int each, float* d_y, const float* d_x,
         const std::vector<float>& x) {
  const int blocks = (kSize / each + kBlockSize - 1) / kBlockSize;
  kernel<<<blocks, kBlockSize>>>(d_y, d_x, kSize);
  check(cudaDeviceSynchronize(), name);
  std::vector<float> y(kSize);
  check(cudaMemcpy(y.data(), d_y, kSize * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  int wrong = 0;
  for (int i = 0; i < kSize; ++i)
    if (!(std::fabs(y[i] - gelu(x[i])) <= 5e-4)) ++wrong;
  std::printf("%s: %d of %d elements are wrong\n", name, wrong, kSize);
}

int main() {
  std::vector<float> x(kSpillSize);
  for (int i = 0; i < kSpillSize; ++i) x[i] = static_cast<float>(i * 37 % kSize) * 0.012f - 6.0f;
  float *d_x = nullptr, *d_y = nullptr;
  check(cudaMalloc(&d_x, kSpillSize * sizeof(float)), "cudaMalloc");
  check(cudaMalloc(&d_y, kSpillSize * sizeof(float)), "cudaMalloc");
  check(cudaMemcpy(d_x, x.data(), kSpillSize * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");

  run("scalar_kernel", scalar_kernel, 1, d_y, d_x, x);
  run("fast_kernel", fast_kernel, 1, d_y, d_x, x);
  run("vector_kernel", vector_kernel, 4, d_y, d_x, x);
  run("branch_kernel", branch_kernel, 1, d_y, d_x, x);

  spill_kernel<<<1, kSpillBlock>>>(d_y, d_x);
  check(cudaDeviceSynchronize(), "spill_kernel");
  float first = 0.0f;
  check(cudaMemcpy(&first, d_y, sizeof first, cudaMemcpyDeviceToHost), "cudaMemcpy");
  std::printf("spill_kernel: the first element is %.0f\n", first);
  for (float* memory : {d_x, d_y}) cudaFree(memory);
}
