#include <cuda_fp16.h>

__global__ void double_kernel(half* out, const half* a, int size) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  // FILL ME IN: work (roughly 4 lines)
  if (i + 1 < size)
    *reinterpret_cast<half2*>(out + i) =
        __hadd2(*reinterpret_cast<const half2*>(a + i), *reinterpret_cast<const half2*>(a + i));
  else if (i < size)
    out[i] = __hadd(a[i], a[i]);
  // END: work
}
