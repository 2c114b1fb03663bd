// A global variable whose initialiser is code of the host, called before any kernel.
// points: 0
// says: runs on the host before any kernel
#include <cuda_runtime.h>
#include <cstdlib>

constexpr int kBlockSize = 64;

static int seen = 0;
static int look(int depth) { return depth == 0 ? std::rand() : look(depth - 1) + ++seen; }
static int started = look(std::rand() % 7);

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
