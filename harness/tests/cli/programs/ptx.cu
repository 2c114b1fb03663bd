#include <cstdio>
__device__ inline void unused() { asm volatile("bar.arrive 1;"); }
__device__ __forceinline__ unsigned lane() {
  unsigned x;
  asm volatile("mov.u32 %0, %%pm0;" : "=r"(x));
  return x;
}
__global__ void k(unsigned* out) { out[threadIdx.x] = lane(); }
int main() { k<<<1, 32>>>(nullptr); }
