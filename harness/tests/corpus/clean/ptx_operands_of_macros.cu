// Operands and parts of the text of asm statements that macros hold, some of them within macros.
#include <cuda_runtime.h>

#include <cstdio>

#define EACH4(LETTER, R) LETTER(R[0]), LETTER(R[1]), LETTER(R[2]), LETTER(R[3])
#define SUMS(R) EACH4("+f", R)
#define ADD "add.f32 "
#define ADD_TO(R, BY) asm volatile(ADD "%1, %1, %4;\n" ADD "%2, %2, %4;" : SUMS(R) : "f"(BY))
#define BY "f"(by)
#define MEMORY "memory"

__global__ void add(float* x, float by) {
  float r[4] = {};
  asm volatile(ADD "%0, %0, %4;\n" ADD "%3, %3, %4;" : SUMS(r) : BY : MEMORY);
  ADD_TO(r, by + 1.0f);
  x[threadIdx.x] = r[0] + 10 * r[1] + 100 * r[2] + 1000 * r[3];
}

int main() {
  float *x, out[32];
  cudaMalloc(&x, sizeof out);
  add<<<1, 32>>>(x, 2.0f);
  cudaMemcpy(out, x, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (const float each : out) wrong += each != 2332.0f;
  std::printf("%d wrong\n", wrong);
  cudaFree(x);
  return wrong != 0;
}
