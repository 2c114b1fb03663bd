// Wrong: a new buffer for every batch, and only the last one is freed.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* x, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

int main() {
  int* batch = nullptr;
  int last = 0;
  for (int b = 0; b < 5; ++b) {
    const int n = 100 + b;
    cudaMalloc(&batch, n * sizeof(int));  // expect-warning: leak
    fill<<<1, 128>>>(batch, b, n);
    cudaMemcpy(&last, batch, sizeof(int), cudaMemcpyDeviceToHost);
  }
  std::printf("the last batch holds %d\n", last);
  cudaFree(batch);
}
