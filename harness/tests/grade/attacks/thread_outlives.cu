// A thread that goes on when the kernel has ended, and for ever.
// points: 6
// says: CORRECT
#include <cuda_runtime.h>
#include <unistd.h>
#include <thread>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  std::thread([] {
    for (volatile unsigned long i = 0;; i = i + 1) usleep(1000);
  }).detach();
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
