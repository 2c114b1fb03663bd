// Looks into another process by ptrace and by its memory.
// points: 6
// says: CORRECT
#include <cuda_runtime.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  if (ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0) puts("SUCCEEDED");
  char seen[16];
  iovec here{seen, sizeof seen}, there{seen, sizeof seen};
  if (process_vm_readv(getppid(), &here, 1, &there, 1, 0) > 0) puts("SUCCEEDED");
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
