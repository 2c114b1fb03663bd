// Boxes of a tensor, of which the last reaches out of it. nvcc: -arch=sm_90, -lcuda.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

constexpr int kRows = 16, kColumns = 32;

__global__ void column_sums(float* sums, const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) float tile[kRows][kColumns];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    const int y = kRows * blockIdx.x;
    cde::cp_async_bulk_tensor_2d_global_to_shared(tile, &map, 0, y, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  float sum = 0;
  for (int row = 0; row < kRows; ++row) sum += tile[row][threadIdx.x];
  sums[blockIdx.x * kColumns + threadIdx.x] = sum;
}

int main() {
  constexpr int rows = 40;
  static float x[rows * kColumns], sums[3 * kColumns];
  for (int i = 0; i < rows * kColumns; ++i) x[i] = static_cast<float>(i % 7);
  float *dx, *dsums;
  cudaMalloc(&dx, sizeof x), cudaMalloc(&dsums, sizeof sums);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  CUtensorMap map;
  const cuuint64_t extents[] = {kColumns, rows}, strides[] = {kColumns * sizeof(float)};
  const cuuint32_t box[] = {kColumns, kRows}, steps[] = {1, 1};
  if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, dx, extents, strides, box, steps,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                             CU_TENSOR_MAP_L2_PROMOTION_NONE,
                             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    return 3;
  column_sums<<<3, kColumns>>>(dsums, map);  // the third box reaches out of the tensor, and brings zeros
  cudaMemcpy(sums, dsums, sizeof sums, cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", sums[0], sums[2 * kColumns]);
  cudaFree(dx), cudaFree(dsums);
  for (int b = 0; b < 3; ++b)
    for (int i = 0; i < kColumns; ++i) {
      float sum = 0;
      for (int row = b * kRows; row < (b + 1) * kRows && row < rows; ++row) sum += x[row * kColumns + i];
      if (sum != sums[b * kColumns + i]) return 2;
    }
  return 0;
}
