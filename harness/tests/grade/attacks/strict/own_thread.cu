// Starts a thread that would change what the simulator counts.
// points: 0
// says: <thread> is no header
#include <cuda_runtime.h>
#include <thread>

constexpr int kBlockSize = 64;

static std::jthread beside([] {});

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
