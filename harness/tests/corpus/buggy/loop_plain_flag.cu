// Wrong: block 0 spins on a flag with plain reads. The compiler reads it once and keeps the value, and
// nothing promises that block 1 runs at all before block 0 ends.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void wait_for_neighbour(int* flag, int* data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (*flag == 0) {  // expect: infinite_loop; may: race_global
    }
    data[0] = data[1] + 1;  // may: race_global
  } else {
    data[1] = 41;  // may: race_global
    *flag = 1;     // may: race_global
  }
}

int main() {
  int *d_flag, *d_data, data[2] = {};
  cudaMalloc(&d_flag, sizeof(int));
  cudaMalloc(&d_data, sizeof data);
  cudaMemset(d_flag, 0, sizeof(int));
  cudaMemset(d_data, 0, sizeof data);
  wait_for_neighbour<<<2, 32>>>(d_flag, d_data);
  cudaMemcpy(data, d_data, sizeof data, cudaMemcpyDeviceToHost);
  std::printf("data[0] = %d\n", data[0]);
  cudaFree(d_flag);
  cudaFree(d_data);
}
