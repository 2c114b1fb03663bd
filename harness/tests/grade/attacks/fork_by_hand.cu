// The same with the system call itself.
// points: 6
// says: CORRECT
#include <cuda_runtime.h>
#include <stdio.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
#if defined(__x86_64__)
  long result = 57;
  asm volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
  if (result >= 0) puts("SUCCEEDED");
#endif
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
