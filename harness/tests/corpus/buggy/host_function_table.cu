// Wrong: a table of functions of the device that the host's compiler initialises, copied to the device.
#include <cuda_runtime.h>

#include <cstdio>

using Op = float (*)(float);
__device__ float square(float v) { return v * v; }
__device__ float half_of(float v) { return v / 2; }

Op host_table[2] = {square, half_of};
__device__ Op device_table[2] = {square, half_of};
__constant__ Op chosen[2];

__global__ void apply(const Op* table, float* x) { x[threadIdx.x] = table[threadIdx.x % 2](x[threadIdx.x]); }
__global__ void apply_chosen(float* x) { x[threadIdx.x] = chosen[threadIdx.x % 2](x[threadIdx.x]); }

int main() {
  Op *table, of_device[2];
  float* x;
  cudaMalloc(&table, sizeof host_table);
  cudaMalloc(&x, 32 * sizeof(float));
  cudaMemset(x, 0, 32 * sizeof(float));
  cudaMemcpy(table, host_table, sizeof host_table, cudaMemcpyHostToDevice);  // expect: host_deref
  apply<<<1, 32>>>(table, x);
  cudaMemcpyToSymbol(chosen, host_table, sizeof host_table);  // expect: host_deref
  apply_chosen<<<1, 32>>>(x);
  // Right: what the device's own variable holds.
  cudaMemcpyFromSymbol(of_device, device_table, sizeof of_device);
  cudaMemcpy(table, of_device, sizeof of_device, cudaMemcpyHostToDevice);
  apply<<<1, 32>>>(table, x);
  float h[32];
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%f\n", h[0]);
  cudaFree(table);
  cudaFree(x);
}
