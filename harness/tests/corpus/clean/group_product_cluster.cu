// Two blocks of a cluster share the tiles of b: each fetches a half for both (multicast), and each tells both
// when it is done with a stage. nvcc: -arch=sm_90a.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

using bf16 = __nv_bfloat16;
constexpr int BM = 64, BN = 64, BK = 64, kStages = 3;

struct Shared {
  alignas(1024) bf16 a[kStages][BM * BK];
  alignas(1024) bf16 b[kStages][BN * BK];
  alignas(8) uint64_t full[kStages], empty[kStages];
};

__device__ uint32_t address_of(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void init_barrier(uint64_t* bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(address_of(bar)), "r"(count));
}
__device__ void expect_bytes(uint64_t* bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;\n" ::"r"(address_of(bar)),
               "r"(bytes)
               : "memory");
}
/// At the barrier of that block of the cluster.
__device__ void arrive_at(uint64_t* bar, uint32_t rank) {
  asm volatile(
      "{\n"
      ".reg .b32 remAddr32;\n"
      "mapa.shared::cluster.u32  remAddr32, %0, %1;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64  _, [remAddr32];\n"
      "}\n" ::"r"(address_of(bar)),
      "r"(rank)
      : "memory");
}
__device__ uint32_t block_rank() {
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;\n" : "=r"(rank) :);
  return rank;
}
__device__ void load_for_both(bf16* to, const CUtensorMap* map, uint64_t* bar, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, "
      "%4}], [%2], %5;\n" ::"r"(address_of(to)),
      "l"(reinterpret_cast<uint64_t>(map)), "r"(address_of(bar)), "r"(x), "r"(y),
      "h"(static_cast<uint16_t>(3))
      : "memory");
}
__device__ void wait(uint64_t* bar, int phase) {
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n"
      "}\n" ::"r"(address_of(bar)),
      "r"(phase)
      : "memory");
}
__device__ void load_tile(bf16* to, const CUtensorMap* map, uint64_t* bar, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];\n" ::
          "r"(address_of(to)),
      "l"(reinterpret_cast<uint64_t>(map)), "r"(address_of(bar)), "r"(x), "r"(y)
      : "memory");
}
__device__ uint64_t encode(uint64_t x) { return (x & 0x3ffff) >> 4; }
__device__ uint64_t descriptor(const bf16* tile) {
  return encode(address_of(tile)) | encode(16) << 16 | encode(1024) << 32 | 1ull << 62;
}
template <int kScaleD>
__device__ void multiply(float (&d)[4][8], const bf16* a, const bf16* b) {
  asm volatile(
      "{\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0,   %1,   %2,   %3,   %4,   %5,   %6,   %7,   "
      " %8,   %9,   %10,  %11,  %12,  %13,  %14,  %15,  "
      " %16,  %17,  %18,  %19,  %20,  %21,  %22,  %23,  "
      " %24,  %25,  %26,  %27,  %28,  %29,  %30,  %31},"
      " %32,"
      " %33,"
      " %34, %35, %36, %37, %38;\n"
      "}\n"
      : "+f"(d[0][0]), "+f"(d[0][1]), "+f"(d[0][2]), "+f"(d[0][3]), "+f"(d[0][4]), "+f"(d[0][5]),
        "+f"(d[0][6]), "+f"(d[0][7]), "+f"(d[1][0]), "+f"(d[1][1]), "+f"(d[1][2]), "+f"(d[1][3]),
        "+f"(d[1][4]), "+f"(d[1][5]), "+f"(d[1][6]), "+f"(d[1][7]), "+f"(d[2][0]), "+f"(d[2][1]),
        "+f"(d[2][2]), "+f"(d[2][3]), "+f"(d[2][4]), "+f"(d[2][5]), "+f"(d[2][6]), "+f"(d[2][7]),
        "+f"(d[3][0]), "+f"(d[3][1]), "+f"(d[3][2]), "+f"(d[3][3]), "+f"(d[3][4]), "+f"(d[3][5]),
        "+f"(d[3][6]), "+f"(d[3][7])
      : "l"(descriptor(a)), "l"(descriptor(b)), "n"(int32_t(kScaleD)), "n"(int32_t(1)), "n"(int32_t(1)),
        "n"(int32_t(0)), "n"(int32_t(0)));
}
template <int kRegisters>
__device__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" : : "n"(kRegisters));
}
template <int kRegisters>
__device__ void give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\n" : : "n"(kRegisters));
}

/// c, m x n, is a, m x k, times the turned b, n x k.
__global__ void __cluster_dims__(1, 2, 1) __launch_bounds__(256)
    gemm(float* c, int n, int k, const __grid_constant__ CUtensorMap map_a,
         const __grid_constant__ CUtensorMap map_b) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Shared& s = *reinterpret_cast<Shared*>(memory);
  const int group = threadIdx.x / 128, steps = k / BK;
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) {
      init_barrier(&s.full[i], 1);
      init_barrier(&s.empty[i], 2);  // both blocks
    }
    asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n" ::
                   : "memory");
  const uint32_t rank = block_rank();
  if (group == 0) {
    give_registers<24>();
    if (threadIdx.x == 0)
      for (int step = 0; step < steps; ++step) {
        const int stage = step % kStages;
        if (step >= kStages) wait(&s.empty[stage], (step / kStages - 1) & 1);
        expect_bytes(&s.full[stage], (BM + BN) * BK * sizeof(bf16));
        load_tile(s.a[stage], &map_a, &s.full[stage], step * BK, blockIdx.y * BM);
        load_for_both(s.b[stage] + rank * BN / 2 * BK, &map_b, &s.full[stage], step * BK,
                      blockIdx.x * BN + rank * BN / 2);
      }
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;\n" ::
                     : "memory");  // others may still arrive here
    return;
  }
  take_registers<240>();
  float d[4][8];
  memset(d, 0, sizeof d);
  for (int step = 0; step < steps; ++step) {
    const int stage = step % kStages;
    wait(&s.full[stage], step / kStages & 1);
    asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
    for (int kk = 0; kk < BK / 16; ++kk)
      multiply<1>(d, &s.a[stage][(group - 1) * 64 * BK + kk * 16], &s.b[stage][kk * 16]);
    asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(0) : "memory");
    if (threadIdx.x % 128 < 2) arrive_at(&s.empty[stage], threadIdx.x % 128);
  }
  const int lane = threadIdx.x % 32,
            row = blockIdx.y * BM + (group - 1) * 64 + threadIdx.x % 128 / 32 * 16 + lane / 4;
  for (int i = 0; i < 32; ++i)
    c[(row + i / 2 % 2 * 8) * n + blockIdx.x * BN + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i / 8][i % 8];
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;\n" ::: "memory");
}

CUtensorMap map_of(PFN_cuTensorMapEncodeTiled_v12000 encode_tiled, bf16* data, int rows, int columns,
                   uint32_t box_rows) {
  CUtensorMap map;
  uint64_t extents[5] = {(uint64_t)columns, (uint64_t)rows, 1, 1, 1};
  uint64_t strides[5] = {sizeof(bf16) * columns, 0, 0, 0, 0};
  uint32_t box[5] = {BK, box_rows, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
  const CUresult result = encode_tiled(
      &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, data, reinterpret_cast<cuuint64_t*>(extents),
      reinterpret_cast<cuuint64_t*>(strides), box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) std::printf("no tensor map: %d\n", static_cast<int>(result));
  return map;
}

int main() {
  constexpr int m = 256, n = 128, k = 320;
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
  if (found != cudaDriverEntryPointSuccess) return 3;
  const auto encode_tiled = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(entry);
  std::vector<bf16> a(m * k), b(n * k);
  std::vector<float> c(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = __float2bfloat16(static_cast<float>(i * 37 % 23 - 11));
  for (int i = 0; i < n * k; ++i) b[i] = __float2bfloat16(static_cast<float>(i * 53 % 19 - 9));
  bf16 *da, *db;
  float* dc;
  cudaMalloc(&da, a.size() * 2), cudaMalloc(&db, b.size() * 2), cudaMalloc(&dc, c.size() * 4);
  cudaMemcpy(da, a.data(), a.size() * 2, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * 2, cudaMemcpyHostToDevice);
  cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared));
  gemm<<<dim3(n / BN, m / BM), 256, sizeof(Shared)>>>(dc, n, k, map_of(encode_tiled, da, m, k, BM),
                                                      map_of(encode_tiled, db, n, k, BN / 2));
  cudaMemcpy(c.data(), dc, c.size() * 4, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int q = 0; q < k; ++q) sum += __bfloat162float(a[i * k + q]) * __bfloat162float(b[j * k + q]);
      wrong += sum != c[i * n + j];
    }
  std::printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
  cudaFree(da), cudaFree(db), cudaFree(dc);
  return wrong == 0 ? 0 : 2;
}
