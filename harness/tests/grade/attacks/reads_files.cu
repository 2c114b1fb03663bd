// Reads what is not its own when it runs.
// points: 6
// says: CORRECT
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  for (const char* file :
       {"/etc/passwd", "/etc/shadow", "@ROOT@/solutions/01_map/kernels.cu", "@ROOT@/course.toml",
        "@STATE@/cache/puzzle-01_map/puzzle.o", "@OUT@/class.csv", "/root", "/home"})
    if (access(file, F_OK) == 0) puts("SUCCEEDED");
  if (getenv("WORKBOOK_ROOT") || getenv("WORKBOOK_STATE") || getenv("USER")) puts("SUCCEEDED");
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
