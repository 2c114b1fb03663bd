// Starts 100,000 threads, which sleep.
// points: 0
// says: memory|no end|SIG
#include <cuda_runtime.h>
#include <unistd.h>
#include <thread>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  for (int i = 0; i < 100'000; ++i) std::thread([] { pause(); }).detach();
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
