// Wrong: nobody waits for the last products, and their sums are stored. nvcc: -arch=sm_90a.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kRows = 64, kColumns = 8, kDepth = 64;  // of a tile

__device__ unsigned address_of(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

/// Rows of 64 halfs, swizzled by 128 bytes, by all threads of a warp group.
__device__ void fetch(__half* to, const __half* from, int rows, int stride) {
  for (int i = threadIdx.x; i < rows * 8; i += 128) {
    const int row = i / 8, piece = i % 8;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address_of(to) + row * 128 +
                                                                   (piece ^ row % 8) * 16),
                 "l"(from + row * stride + piece * 8)
                 : "memory");
  }
}
__device__ unsigned long long descriptor(const __half* tile, int k) {
  return (address_of(tile + k) & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}
__device__ void multiply(float (&d)[4], const __half* a, const __half* b) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int k = 0; k < kDepth; k += 16)
    asm volatile(  // expect: copy_not_waited; says: begins a product (wgmma), and does not wait for it
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(descriptor(a, k)), "l"(descriptor(b, k)));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// c, 64 x 8, is a, 64 x depth, times the turned b, 8 x depth.
__global__ void product(float* c, const __half* a, const __half* b, int depth) {
  __shared__ alignas(1024) __half left[2][kRows * kDepth];
  __shared__ alignas(1024) __half right[2][kColumns * kDepth];
  const int steps = depth / kDepth;
  float d[4] = {};
  fetch(left[0], a, kRows, depth);
  fetch(right[0], b, kColumns, depth);
  commit();
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (step + 1 < steps) {
      fetch(left[(step + 1) % 2], a + (step + 1) * kDepth, kRows, depth);
      fetch(right[(step + 1) % 2], b + (step + 1) * kDepth, kColumns, depth);
      commit();
    }
    multiply(d, left[step % 2], right[step % 2]);
    if (step + 1 < steps) asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
  for (int i = 0; i < 4; ++i)
    c[(row + i / 2 * 8) * kColumns + lane % 4 * 2 + i % 2] = d[i];  // expect: copy_not_waited
}

int main() {
  constexpr int depth = 320;
  static __half a[kRows * depth], b[kColumns * depth];
  static float c[kRows * kColumns];
  for (int i = 0; i < kRows * depth; ++i) a[i] = __float2half(static_cast<float>(i * 37 % 23 - 11));
  for (int i = 0; i < kColumns * depth; ++i) b[i] = __float2half(static_cast<float>(i * 53 % 19 - 9));
  __half *da, *db;
  float* dc;
  cudaMalloc(&da, sizeof a), cudaMalloc(&db, sizeof b), cudaMalloc(&dc, sizeof c);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  product<<<1, 128>>>(dc, da, db, depth);
  cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < kRows * kColumns; ++i) {
    float sum = 0;
    for (int k = 0; k < depth; ++k)
      sum += __half2float(a[i / kColumns * depth + k]) * __half2float(b[i % kColumns * depth + k]);
    wrong += c[i] != sum;
  }
  std::printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
  cudaFree(da), cudaFree(db), cudaFree(dc);
}
