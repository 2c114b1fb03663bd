// Copies by tensor maps: each swizzle, boxes that reach out of the tensor, steps, three dimensions, and back
// to global memory. nvcc: -arch=sm_90a.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

/// What a box leaves in shared memory.
__global__ void show(std::uint16_t* out, const __grid_constant__ CUtensorMap map, int x, int y, int z,
                     int rank, int elements) {
  __shared__ alignas(1024) std::uint16_t box[4096];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    if (rank == 2)
      cde::cp_async_bulk_tensor_2d_global_to_shared(box, &map, x, y, bar);
    else
      cde::cp_async_bulk_tensor_3d_global_to_shared(box, &map, x, y, z, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, elements * 2);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < elements; i += blockDim.x) out[i] = box[i];
}

/// A box of 64 x 8, each of its elements times 2, at another place.
__global__ void twice(const __grid_constant__ CUtensorMap map, const __grid_constant__ CUtensorMap to, int x,
                      int y) {
  __shared__ alignas(128) std::uint16_t box[512];
  __shared__ alignas(8) std::uint64_t bar;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&bar));
  const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(box));
  if (threadIdx.x == 0) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned long long policy;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(1024) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, "
        "{%3, %4}], [%2], %5;" ::"r"(place),
        "l"(&map), "r"(at), "r"(x), "r"(y), "l"(policy)
        : "memory");
  }
  asm volatile(
      "{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra "
      "LAB_WAIT;\nDONE:\n}\n" ::"r"(at),
      "r"(0)
      : "memory");
  for (int i = threadIdx.x; i < 512; i += blockDim.x) box[i] = static_cast<std::uint16_t>(2 * box[i]);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&to),
                 "r"(place), "r"(x), "r"(y)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                            const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                            CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
Encode encode;

constexpr int kColumns = 104, kRows = 20, kPlanes = 3;
std::uint16_t host[kPlanes * kRows * kColumns], seen[4096];

struct Box {
  std::uint32_t columns, rows, planes, step;
};

CUtensorMap map_of(std::uint16_t* data, int rank, Box box, CUtensorMapSwizzle swizzle) {
  CUtensorMap map;
  const cuuint64_t extents[] = {kColumns, kRows, kPlanes}, strides[] = {kColumns * 2, kColumns * kRows * 2};
  const cuuint32_t boxes[] = {box.columns, box.rows, box.planes}, steps[] = {1, box.step, 1};
  if (encode(&map, CU_TENSOR_MAP_DATA_TYPE_UINT16, static_cast<cuuint32_t>(rank), data, extents, strides,
             boxes, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    std::printf("no map\n");
  return map;
}

bool try_box(std::uint16_t* data, std::uint16_t* out, int rank, Box box, CUtensorMapSwizzle swizzle, int x,
             int y, int z) {
  const int rows = static_cast<int>((box.rows + box.step - 1) / box.step),
            planes = rank == 3 ? static_cast<int>(box.planes) : 1;
  const int elements = static_cast<int>(box.columns) * rows * planes;
  show<<<1, 64>>>(out, map_of(data, rank, box, swizzle), x, y, z, rank, elements);
  cudaMemcpy(seen, out, static_cast<std::size_t>(elements) * 2, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < elements; ++i) {
    const int column = x + i % static_cast<int>(box.columns), line = i / static_cast<int>(box.columns);
    const int row = y + line % rows * static_cast<int>(box.step), plane = z + line / rows;
    const bool inside =
        column >= 0 && column < kColumns && row >= 0 && row < kRows && plane >= 0 && plane < kPlanes;
    const int place = 2 * i ^ ((2 * i >> 7) & ((1 << swizzle) - 1)) << 4;
    wrong += seen[place / 2] != (inside ? host[(plane * kRows + row) * kColumns + column] : 0);
  }
  std::printf("swizzle %d at %d %d %d: %d wrong, %s\n", static_cast<int>(swizzle), x, y, z, wrong,
              cudaGetErrorString(cudaGetLastError()));
  return wrong == 0;
}

int main() {
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", reinterpret_cast<void**>(&encode), 12000,
                                   cudaEnableDefault, &found);
  for (int i = 0; i < kPlanes * kRows * kColumns; ++i) host[i] = static_cast<std::uint16_t>(i + 1);
  std::uint16_t *data, *out, *other;
  cudaMalloc(&data, sizeof host), cudaMalloc(&out, sizeof seen), cudaMalloc(&other, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(other, 0, sizeof host);
  bool right = found == cudaDriverEntryPointSuccess;
  right &= try_box(data, out, 2, {64, 8, 1, 1}, CU_TENSOR_MAP_SWIZZLE_128B, 16, 4, 0);
  right &= try_box(data, out, 2, {32, 16, 1, 1}, CU_TENSOR_MAP_SWIZZLE_64B, 5, 0, 0);
  right &= try_box(data, out, 2, {16, 16, 1, 1}, CU_TENSOR_MAP_SWIZZLE_32B, 3, 2, 0);
  right &= try_box(data, out, 2, {104, 20, 1, 1}, CU_TENSOR_MAP_SWIZZLE_NONE, 0, 0, 0);
  right &= try_box(data, out, 2, {64, 8, 1, 1}, CU_TENSOR_MAP_SWIZZLE_128B, 61, 15, 0);
  right &= try_box(data, out, 2, {64, 8, 1, 1}, CU_TENSOR_MAP_SWIZZLE_128B, -5, -3, 0);
  right &= try_box(data, out, 2, {24, 16, 1, 2}, CU_TENSOR_MAP_SWIZZLE_NONE, 8, 1, 0);
  right &= try_box(data, out, 3, {32, 4, 2, 1}, CU_TENSOR_MAP_SWIZZLE_64B, 40, 8, 2);
  twice<<<1, 64>>>(map_of(data, 2, {64, 8, 1, 1}, CU_TENSOR_MAP_SWIZZLE_128B),
                   map_of(other, 2, {64, 8, 1, 1}, CU_TENSOR_MAP_SWIZZLE_128B), 50, 14);
  static std::uint16_t back[kPlanes * kRows * kColumns];
  cudaMemcpy(back, other, sizeof back, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kPlanes * kRows * kColumns; ++i) {
    const int column = i % kColumns, row = i / kColumns;
    const bool inside = column >= 50 && row >= 14 && row < 20;
    right &= back[i] == (inside ? static_cast<std::uint16_t>(2 * host[i]) : 0);
  }
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(data), cudaFree(out), cudaFree(other);
  return right ? 0 : 2;
}
