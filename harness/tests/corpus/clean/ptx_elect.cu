// One lane of a warp is chosen, as CUTLASS does it; addresses in shared memory of the block as one of a
// cluster of one; barriers of the cluster and of two warps. nvcc: -arch=sm_90.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void choose(unsigned* out) {
  __shared__ unsigned mine;
  unsigned chosen = 0, lane = 99, again, rank, blocks, place;
  asm volatile(
      "{\n"
      ".reg .b32 %%rx;\n"
      ".reg .pred %%px;\n"
      "     elect.sync %%rx|%%px, %2;\n"
      "@%%px mov.s32 %1, 1;\n"
      "     mov.s32 %0, %%rx;\n"
      "}\n"
      : "+r"(lane), "+r"(chosen)
      : "r"(0xFFFFFFFF));
  asm volatile("{\n.reg .pred P1;\nelect.sync _|P1, 0xffffffff;\nselp.u32 %0, 1, 0, P1;\n}\n" : "=r"(again));
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(place)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&mine))), "r"(rank));
  if (threadIdx.x == 0) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(place), "r"(7) : "memory");
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n" ::: "memory");
  asm volatile("bar.sync %0, %1;" ::"r"(1), "n"(64) : "memory");
  out[threadIdx.x] = mine * 1000 + blocks * 100 + chosen * 10 + again + lane;
}

int main() {
  unsigned host[64], *device;
  cudaMalloc(&device, sizeof host);
  choose<<<1, 64>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += host[i] != (i % 32 == 0 ? 7111u : 7100u);
  std::printf("%d wrong: %u %u\n", wrong, host[0], host[1]);
  cudaFree(device);
  return wrong == 0 ? 0 : 2;
}
