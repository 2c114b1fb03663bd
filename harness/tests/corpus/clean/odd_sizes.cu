// Sizes that nothing divides, a block that is no multiple of a warp, and a launch of one thread.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void block_maximum(int* out, const int* x, int n) {
  extern __shared__ int best[];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  best[t] = i < n ? x[i] : -1;
  __syncthreads();
  for (int size = blockDim.x; size > 1; size = (size + 1) / 2) {
    const int half = (size + 1) / 2;
    if (t + half < size) best[t] = max(best[t], best[t + half]);
    __syncthreads();
  }
  if (t == 0) atomicMax(out, best[0]);
}

int main() {
  int wrong = 0;
  for (const int n : {1, 31, 33, 77, 1000}) {
    for (const int block : {1, 17, 45, 100}) {
      std::vector<int> x(n);
      for (int i = 0; i < n; ++i) x[i] = i * 7919 % 1009;
      x[n / 2] = 5000 + n;
      int *d_x, *d_out, out = 0;
      cudaMalloc(&d_x, n * sizeof(int));
      cudaMalloc(&d_out, sizeof(int));
      cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
      cudaMemset(d_out, 0, sizeof(int));
      block_maximum<<<(n + block - 1) / block, block, block * sizeof(int)>>>(d_out, d_x, n);
      cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
      wrong += out != 5000 + n;
      cudaFree(d_x);
      cudaFree(d_out);
    }
  }
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
