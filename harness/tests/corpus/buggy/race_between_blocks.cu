// Wrong: __syncthreads() is taken for a barrier of the whole grid; a block reads what the next one writes.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 100;

__global__ void square_then_shift(int* out, int* squares, const int* x, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  squares[i] = x[i] * x[i];  // expect-other: race_global
  __syncthreads();
  out[i] = squares[(i + 1) % n];  // expect: race_global
}

int main() {
  const int n = 4 * kBlock;
  std::vector<int> x(n), out(n);
  for (int i = 0; i < n; ++i) x[i] = i;
  int *d_x, *d_squares, *d_out;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_squares, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_squares, 0, n * sizeof(int));
  square_then_shift<<<4, kBlock>>>(d_out, d_squares, d_x, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("out[%d] = %d, should be %d\n", kBlock - 1, out[kBlock - 1], kBlock * kBlock);
  cudaFree(d_x), cudaFree(d_squares), cudaFree(d_out);
}
