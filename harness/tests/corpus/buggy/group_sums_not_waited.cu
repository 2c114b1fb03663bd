// Wrong: the sums of a warp group's product are stored before it is waited for.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
__device__ uint64_t describe(const void* p, int leading, int stride) {
  uint64_t a = (uint64_t)__cvta_generic_to_shared(p);
  return ((a & 0x3ffff) >> 4) | ((uint64_t)(leading >> 4) << 16) | ((uint64_t)(stride >> 4) << 32);
}
__global__ void product(const half* A, const half* B, float* C) {
  __shared__ alignas(128) half a[64 * 32], b[8 * 32];
  int t = threadIdx.x;
  for (int i = t; i < 64 * 32; i += 128) {
    int m = i / 32, k = i % 32;
    a[k / 16 * 1024 + (m / 8) * 128 + (k % 16 / 8) * 64 + (m % 8) * 8 + k % 8] = A[i];
  }
  for (int i = t; i < 8 * 32; i += 128) {
    int n = i / 32, k = i % 32;
    b[k / 16 * 128 + (k % 16 / 8) * 64 + n * 8 + k % 8] = B[i];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float d[4] = {0, 0, 0, 0};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int k = 0; k < 2; ++k) {
    uint64_t da = describe(a + k * 1024, 128, 256), db = describe(b + k * 128, 128, 256);
    asm volatile(  // expect-other: copy_not_waited
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(da), "l"(db));
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
  int warp = t / 32, lane = t % 32, row = warp * 16 + lane / 4, col = lane % 4 * 2;
  C[row * 8 + col] = d[0];            // expect: copy_not_waited
  C[row * 8 + col + 1] = d[1];        // expect: copy_not_waited
  C[(row + 8) * 8 + col] = d[2];      // expect: copy_not_waited
  C[(row + 8) * 8 + col + 1] = d[3];  // expect: copy_not_waited
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
int main() {
  static half ha[64 * 32], hb[8 * 32];
  static float hc[64 * 8];
  for (int i = 0; i < 64 * 32; ++i) ha[i] = __float2half(i % 5);
  for (int i = 0; i < 8 * 32; ++i) hb[i] = __float2half(i % 3);
  half *a, *b;
  float* c;
  cudaMalloc(&a, sizeof ha);
  cudaMalloc(&b, sizeof hb);
  cudaMalloc(&c, sizeof hc);
  cudaMemcpy(a, ha, sizeof ha, cudaMemcpyHostToDevice);
  cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice);
  product<<<1, 128>>>(a, b, c);
  cudaMemcpy(hc, c, sizeof hc, cudaMemcpyDeviceToHost);
  float want = 0;
  for (int k = 0; k < 32; ++k) want += (k + 32 * 9) % 5 * ((k + 32 * 3) % 3);
  printf("%g %g\n", hc[9 * 8 + 3], want);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
