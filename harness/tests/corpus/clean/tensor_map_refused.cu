// Rows of a multiple of 16 bytes.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cuda/barrier>
#include <utility>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::device::experimental;
__global__ void copyTile(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[8 * 32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    ptx::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_tensor_2d_global_to_shared(tile, &map, 0, 0, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < 8 * 32; i += blockDim.x) out[i] = tile[i];
}
int main() {
  const int rows = 16;
  const int pitch = 100;
  static float h[rows * 104];
  for (int i = 0; i < rows * pitch; ++i) h[i] = i;
  float *a, *b, r[256];
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof r);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  CUtensorMap map{};
  cuuint64_t size[] = {(cuuint64_t)pitch, rows}, stride[] = {pitch * sizeof(float)};
  cuuint32_t box[] = {32, 8}, step[] = {1, 1};
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, a, size, stride, box, step,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                         CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  copyTile<<<1, 64>>>(map, b);
  cudaMemcpy(r, b, sizeof r, cudaMemcpyDeviceToHost);
  printf("%g\n", r[33]);
  cudaFree(a);
  cudaFree(b);
}
