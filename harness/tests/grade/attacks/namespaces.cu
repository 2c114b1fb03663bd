// Makes itself root in a world of its own, and mounts.
// points: 6
// says: CORRECT
#include <cuda_runtime.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  if (unshare(CLONE_NEWUSER) == 0 || mount("none", "/tmp", "tmpfs", 0, nullptr) == 0 || chroot("/tmp") == 0)
    puts("SUCCEEDED");
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
