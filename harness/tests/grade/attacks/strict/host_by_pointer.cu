// Has a function of the host copy, where no check looks, by a pointer.
// points: 0
// says: calling a __host__ function."strncpy".
#include <cuda_runtime.h>
#include <cstring>

constexpr int kBlockSize = 64;

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  char* (*copy)(char*, const char*, unsigned long) = &strncpy;
  if (i < size) copy(reinterpret_cast<char*>(out + i), reinterpret_cast<const char*>(a + i), 4);
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
