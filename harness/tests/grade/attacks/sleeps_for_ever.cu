// Never ends, and takes no processor time.
// points: 0
// says: no end within
#include <cuda_runtime.h>
#include <unistd.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  for (;;) pause();
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
