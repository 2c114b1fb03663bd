// Prints what is no text, and would break the class's files.
// points: 6
// says: CORRECT
#include <cuda_runtime.h>
#include <cstdio>

constexpr int kBlockSize = 64;

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) printf("\xff\xfe\xc3 \xed\xa0\x80 \xef\xbf\xbf \x1b[2J \xc2\x9b ]]> </pre>");
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
