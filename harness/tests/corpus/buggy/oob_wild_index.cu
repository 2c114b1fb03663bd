// Wrong: indices that nothing has checked, so far outside that a byte address times 16 rows lies in another
// part of the machine's memory.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void gather(float* out, const float* table, const long long* index, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[index[i] * 16];  // expect: oob_global
}

int main() {
  const int n = 256;
  long long index[n];
  for (int i = 0; i < n; ++i)
    index[i] = i % 3 == 0 ? -2147483648LL - i : i % 3 == 1 ? 4294967296LL + i : i % 64;
  float *table, *out;
  long long* d_index;
  cudaMalloc(&table, 1024 * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&d_index, sizeof index);
  cudaMemset(table, 0, 1024 * sizeof(float));
  cudaMemcpy(d_index, index, sizeof index, cudaMemcpyHostToDevice);
  gather<<<2, 128>>>(out, table, d_index, n);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(table), cudaFree(out), cudaFree(d_index);
}
