// Wrong: past the end; the operands of the asm statement come from macros.
#include <cuda_runtime.h>

#include <cstdio>

#define EACH4(LETTER, R) LETTER(R[0]), LETTER(R[1]), LETTER(R[2]), LETTER(R[3])
#define SUMS(R) EACH4("+f", R)
#define ADD "add.f32 "

__global__ void add(float* x, float by) {
  float r[4] = {};
  asm volatile(ADD "%0, %0, %4;\n" ADD "%3, %3, %4;" : SUMS(r) : "f"(by));
  x[threadIdx.x] = r[0] + r[1] + r[3];  // expect: oob_global
}

int main() {
  float *x, out[16];
  cudaMalloc(&x, sizeof out);
  add<<<1, 32>>>(x, 2.0f);
  cudaMemcpy(out, x, sizeof out, cudaMemcpyDeviceToHost);
  std::printf("%g\n", out[3]);
  cudaFree(x);
}
