// Takes 40 GB of memory.
// points: 0
// says: memory
#include <cuda_runtime.h>
#include <stdlib.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  for (int i = 0; i < 40; ++i) {
    char* block = static_cast<char*>(malloc(1ul << 30));
    for (unsigned long at = 0; block && at < 1ul << 30; at += 4096) block[at] = 1;
  }
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
