// Attention as public code for an H100 has it: scores of 64 queries with 64 keys by wgmma from shared memory,
// and the weighted values with the weights in registers, where the scores' product has left them. nvcc:
// -arch=sm_90a.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kQueries = 64, kKeys = 64, kDepth = 64;

__device__ unsigned address_of(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

/// A tile of 64 x 64, its rows swizzled by 128 bytes.
__device__ void fetch(__half* to, const __half* from) {
  for (int i = threadIdx.x; i < 64 * 8; i += 128) {
    const int row = i / 8, piece = i % 8;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address_of(to) + row * 128 +
                                                                   (piece ^ row % 8) * 16),
                 "l"(from + row * 64 + piece * 8)
                 : "memory");
  }
}
__device__ unsigned long long descriptor(unsigned place) {
  return static_cast<unsigned long long>((place & 0x3ffff) >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}
/// Keeps the compiler from moving what it does with registers behind or before products of them.
__device__ void hold(float (&s)[8][4]) {
#pragma unroll
  for (int i = 0; i < 32; ++i) asm volatile("" : "+f"(s[i / 4][i % 4])::"memory");
}
__device__ void multiply(float (&s)[8][4], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, 1, 1, 0, 0;"
      : "+f"(s[0][0]), "+f"(s[0][1]), "+f"(s[0][2]), "+f"(s[0][3]), "+f"(s[1][0]), "+f"(s[1][1]),
        "+f"(s[1][2]), "+f"(s[1][3]), "+f"(s[2][0]), "+f"(s[2][1]), "+f"(s[2][2]), "+f"(s[2][3]),
        "+f"(s[3][0]), "+f"(s[3][1]), "+f"(s[3][2]), "+f"(s[3][3]), "+f"(s[4][0]), "+f"(s[4][1]),
        "+f"(s[4][2]), "+f"(s[4][3]), "+f"(s[5][0]), "+f"(s[5][1]), "+f"(s[5][2]), "+f"(s[5][3]),
        "+f"(s[6][0]), "+f"(s[6][1]), "+f"(s[6][2]), "+f"(s[6][3]), "+f"(s[7][0]), "+f"(s[7][1]),
        "+f"(s[7][2]), "+f"(s[7][3])
      : "l"(a), "l"(b));
}
__device__ void multiply(float (&s)[8][4], const unsigned (&a)[4], unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
      : "+f"(s[0][0]), "+f"(s[0][1]), "+f"(s[0][2]), "+f"(s[0][3]), "+f"(s[1][0]), "+f"(s[1][1]),
        "+f"(s[1][2]), "+f"(s[1][3]), "+f"(s[2][0]), "+f"(s[2][1]), "+f"(s[2][2]), "+f"(s[2][3]),
        "+f"(s[3][0]), "+f"(s[3][1]), "+f"(s[3][2]), "+f"(s[3][3]), "+f"(s[4][0]), "+f"(s[4][1]),
        "+f"(s[4][2]), "+f"(s[4][3]), "+f"(s[5][0]), "+f"(s[5][1]), "+f"(s[5][2]), "+f"(s[5][3]),
        "+f"(s[6][0]), "+f"(s[6][1]), "+f"(s[6][2]), "+f"(s[6][3]), "+f"(s[7][0]), "+f"(s[7][1]),
        "+f"(s[7][2]), "+f"(s[7][3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}
__device__ void begin(float (&s)[8][4]) {
  hold(s);
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ void end(float (&s)[8][4]) {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  hold(s);
}
__device__ unsigned pack(float low, float high) {
  unsigned word;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  return word;
}

__global__ void __launch_bounds__(128)
    attention(float* out, const __half* q, const __half* k, const __half* v, int keys) {
  __shared__ alignas(1024) __half queries[kQueries * kDepth];
  __shared__ alignas(1024) __half tile_k[kKeys * kDepth];
  __shared__ alignas(1024) __half tile_v[kKeys * kDepth];
  float o[8][4] = {}, most[2] = {-1e30f, -1e30f}, sum[2] = {};
  fetch(queries, q);
  for (int first = 0; first < keys; first += kKeys) {
    fetch(tile_k, k + first * kDepth);
    fetch(tile_v, v + first * kDepth);
    asm volatile("cp.async.wait_all;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float s[8][4] = {};
    begin(s);
#pragma unroll
    for (int d = 0; d < kDepth / 16; ++d)
      multiply(s, descriptor(address_of(queries) + d * 32), descriptor(address_of(tile_k) + d * 32));
    end(s);
    for (int half = 0; half < 2; ++half) {
      float next = most[half];
      for (int i = 0; i < 16; ++i) next = fmaxf(next, s[i / 2][half * 2 + i % 2]);
      next = fmaxf(next, __shfl_xor_sync(~0u, next, 1));
      next = fmaxf(next, __shfl_xor_sync(~0u, next, 2));
      const float keep = __expf(most[half] - next);
      most[half] = next;
      sum[half] *= keep;
      for (int i = 0; i < 16; ++i) {
        o[i / 2][half * 2 + i % 2] *= keep;
        float& one = s[i / 2][half * 2 + i % 2];
        sum[half] += one = __expf(one - next);
      }
    }
    begin(o);
#pragma unroll
    for (int step = 0; step < kKeys / 16; ++step) {
      const float(&one)[4] = s[2 * step], (&two)[4] = s[2 * step + 1];
      const unsigned weights[4] = {pack(one[0], one[1]), pack(one[2], one[3]), pack(two[0], two[1]),
                                   pack(two[2], two[3])};
      multiply(o, weights, descriptor(address_of(tile_v) + step * 2048));
    }
    end(o);
    __syncthreads();
  }
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
  for (int half = 0; half < 2; ++half) {
    sum[half] += __shfl_xor_sync(~0u, sum[half], 1);
    sum[half] += __shfl_xor_sync(~0u, sum[half], 2);
  }
  for (int i = 0; i < 32; ++i)
    out[(row + i / 2 % 2 * 8) * kDepth + i / 4 * 8 + lane % 4 * 2 + i % 2] = o[i / 4][i % 4] / sum[i / 2 % 2];
}

int main() {
  constexpr int keys = 192;
  std::vector<__half> q(kQueries * kDepth), k(keys * kDepth), v(keys * kDepth);
  std::vector<float> out(kQueries * kDepth);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = __float2half(static_cast<float>(i * 37 % 23) / 23 - 0.5f);
  for (std::size_t i = 0; i < k.size(); ++i) k[i] = __float2half(static_cast<float>(i * 53 % 19) / 19 - 0.5f);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = __float2half(static_cast<float>(i * 41 % 29) / 29 - 0.5f);
  __half *dq, *dk, *dv;
  float* dout;
  cudaMalloc(&dq, q.size() * 2), cudaMalloc(&dk, k.size() * 2), cudaMalloc(&dv, v.size() * 2);
  cudaMalloc(&dout, out.size() * 4);
  cudaMemcpy(dq, q.data(), q.size() * 2, cudaMemcpyHostToDevice);
  cudaMemcpy(dk, k.data(), k.size() * 2, cudaMemcpyHostToDevice);
  cudaMemcpy(dv, v.data(), v.size() * 2, cudaMemcpyHostToDevice);
  attention<<<1, 128>>>(dout, dq, dk, dv, keys);
  cudaMemcpy(out.data(), dout, out.size() * 4, cudaMemcpyDeviceToHost);
  float worst = 0;
  for (int i = 0; i < kQueries; ++i) {
    std::vector<float> weights(keys);
    float total = 0;
    for (int t = 0; t < keys; ++t) {
      float score = 0;
      for (int d = 0; d < kDepth; ++d)
        score += __half2float(q[i * kDepth + d]) * __half2float(k[t * kDepth + d]);
      total += weights[t] = std::exp(score);
    }
    for (int d = 0; d < kDepth; ++d) {
      float value = 0;
      for (int t = 0; t < keys; ++t) value += weights[t] * __half2float(v[t * kDepth + d]);
      worst = std::fmax(worst, std::fabs(value / total - out[i * kDepth + d]));
    }
  }
  std::printf("worst %g, %s\n", worst, cudaGetErrorString(cudaGetLastError()));
  cudaFree(dq), cudaFree(dk), cudaFree(dv), cudaFree(dout);
  return worst < 1e-3f ? 0 : 2;
}
