// A destructor that runs when a thread ends.
// points: 0
// says: it uses '__cxa_thread_atexit'
#include <cuda_runtime.h>

constexpr int kBlockSize = 64;
struct Late {
  int seen = 0;
  ~Late() { seen = 1; }
};
static thread_local Late late;

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (late.seen == 2) return;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
