// Writes over the kernel that runs.
// points: 0
// says: SIG|memory|touched
#include <cuda_runtime.h>

constexpr int kBlockSize = 64;
__global__ void map_kernel(float* out, const float* a, int size);

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *reinterpret_cast<int*>(reinterpret_cast<unsigned long>(&map_kernel)) = 0;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
