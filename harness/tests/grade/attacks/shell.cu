// Has a shell do it.
// points: 6
// says: CORRECT
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  if (system("touch /tmp/shell") == 0) puts("SUCCEEDED");
  void* library = dlopen("libc.so.6", RTLD_NOW);
  auto* run = reinterpret_cast<int (*)(const char*)>(library ? dlsym(library, "system") : nullptr);
  if (run && run("touch /tmp/shell") == 0) puts("SUCCEEDED");
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
