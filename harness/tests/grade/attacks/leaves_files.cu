// Leaves files for the next submission, or finds those of the one before.
// points: 6
// says: CORRECT
#include <cuda_runtime.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  for (const char* file :
       {"/tmp/left", "/left", "/usr/left", "/dev/left", "@STATE@/left", "@ROOT@/left", "@OUT@/left"}) {
    if (access(file, F_OK) == 0) puts("SUCCEEDED");
    const int fd = open(file, O_CREAT | O_WRONLY, 0600);
    if (fd >= 0 && strncmp(file, "/tmp/", 5) != 0) puts("SUCCEEDED");
  }
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
