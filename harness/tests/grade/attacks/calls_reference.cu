// Asks for the puzzle's own reference by its name.
// points: 0
// says: does not link
#include <cuda_runtime.h>
#include <stdio.h>
#include <workbook/puzzle.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  if (workbook::puzzle.tasks.front().reference != nullptr) puts("SUCCEEDED");
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  if (threadIdx.x == 0 && size == 0) out[0] = a[0];
  // END: map
}
