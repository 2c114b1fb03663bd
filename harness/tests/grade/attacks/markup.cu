// Prints what a page would run.
// points: 6
// says: CORRECT
#include <cuda_runtime.h>
#include <stdio.h>

constexpr int kBlockSize = 64;

__attribute__((constructor)) static void attack() {
  puts("</pre><script>document.title = 1</script><b>&amp;\033[2J");
}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
