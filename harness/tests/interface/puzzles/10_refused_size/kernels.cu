#include <cuda_bf16.h>

__global__ void fold_kernel(__nv_bfloat16* out, const __nv_bfloat16* x, int size) {
  const int i = threadIdx.x;
  // FILL ME IN: work (roughly 1 line)
  // END: work
}
