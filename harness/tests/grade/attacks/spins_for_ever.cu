// Never ends, and does not listen when it is told to.
// points: 0
// says: no end within
#include <cuda_runtime.h>
#include <signal.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
  for (volatile unsigned long i = 0;; i = i + 1) {
  }
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
