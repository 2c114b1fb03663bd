// Barriers of some of a block's threads in PTX: halves that meet on their own; and producers that arrive and
// go on, for consumers that wait; and halves that take turns, of which one arrival is left over at the end: a
// block begins with none.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void halves(int* x) {
  __shared__ int s[128];
  const int half = threadIdx.x / 64;
  for (int turn = 0; turn < 3; ++turn) {
    s[threadIdx.x] = x[threadIdx.x];
    asm volatile("bar.sync %0, %1;" : : "r"(half + 1), "r"(64) : "memory");
    x[threadIdx.x] = s[64 * half + (threadIdx.x + 1) % 64];
    asm volatile("barrier.sync %0, 64;" : : "r"(half + 1) : "memory");
  }
}

__global__ void pairs(int* x, int n) {
  __shared__ int s[2][32];
  const int lane = threadIdx.x % 32;
  for (int i = 0; i < n; ++i) {
    const int slot = i % 2;
    if (threadIdx.x < 32) {
      if (i >= 2) asm volatile("bar.sync %0, 64;" : : "r"(3 + slot) : "memory");  // the slot is free
      s[slot][lane] = i + lane;
      asm volatile("bar.arrive %0, 64;" : : "r"(1 + slot) : "memory");  // and full
    } else {
      asm volatile("bar.sync %0, 64;" : : "r"(1 + slot) : "memory");
      x[i * 32 + lane] = s[slot][31 - lane];
      if (i + 2 < n) asm volatile("bar.arrive %0, 64;" : : "r"(3 + slot) : "memory");
    }
  }
}

__global__ void turns(int* x, int n) {
  const int half = threadIdx.x / 32;
  if (half == 1) asm volatile("bar.arrive 1, 64;" : : : "memory");  // the first turn is the other half's
  if (half == 1) asm volatile("bar.arrive 3, 64;" : : : "memory");
  if (half == 0) asm volatile("bar.sync 3, 64;" : : : "memory");
  for (int i = 0; i < n; ++i) {
    asm volatile("bar.sync %0, 64;" : : "r"(1 + half) : "memory");
    if (threadIdx.x % 32 == 0) ++x[blockIdx.x];
    asm volatile("bar.arrive %0, 64;" : : "r"(2 - half) : "memory");
  }
}

int main() {
  int host[160], *x;
  for (int i = 0; i < 160; ++i) host[i] = i;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  halves<<<1, 128>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  const bool turned = host[0] == 3 && host[63] == 2 && host[64] == 67;
  pairs<<<1, 64>>>(x, 5);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[159]);
  const bool paired = host[0] == 31 && host[159] == 4;
  cudaMemset(x, 0, sizeof host);
  turns<<<160, 64>>>(x, 3);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  bool all = true;
  for (const int each : host) all = all && each == 6;
  cudaFree(x);
  return turned && paired && all ? 0 : 2;
}
