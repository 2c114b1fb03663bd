// Wrong: host code reads, writes and copies variables of the device under their names, where it has copies of
// its own.
#include <cstdio>

__device__ int flag;
__device__ float sums[16];
__constant__ int size = 12;

__global__ void set() {
  if (threadIdx.x == 0) flag = 1;
  if (threadIdx.x < 16) sums[threadIdx.x] = static_cast<float>(size);
}

int main() {
  float copy[16];
  set<<<1, 32>>>();
  cudaDeviceSynchronize();
  if (flag != 1) std::printf("not set\n");                      // expect: host_deref
  std::printf("%d\n", size);                                    // expect-warning: host_deref
  flag = 2;                                                     // expect: host_deref
  cudaMemcpy(copy, sums, sizeof copy, cudaMemcpyDeviceToHost);  // expect: bad_api_call
  cudaMemset(&flag, 0, sizeof flag);                            // expect: bad_api_call
}
