// Prints 10 GB.
// points: 0
// says: no end|exit
#include <cuda_runtime.h>
#include <unistd.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  static char lines[1 << 20];
  for (char& c : lines) c = 'x';
  for (int i = 0; i < 10 * 1024; ++i)
    if (write(1, lines, sizeof lines) < 0) break;
  _exit(0);
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
