// The storage of a warp reduction is used again behind __syncwarp().
#include <cuda_runtime.h>
#include <cub/cub.cuh>

#include <cstdio>

__global__ void stats(const int* in, int* sums, int* maxima) {
  using Reduce = cub::WarpReduce<int>;
  __shared__ typename Reduce::TempStorage temp[2];
  const int warp = threadIdx.x / 32;
  int v = in[threadIdx.x];
  int sum = Reduce(temp[warp]).Sum(v);
  __syncwarp();
  int top = Reduce(temp[warp]).Max(v);
  if (threadIdx.x % 32 == 0) sums[warp] = sum, maxima[warp] = top;
}

int main() {
  int h[64], *in, *s, *m, a[2], b[2];
  for (int i = 0; i < 64; i++) h[i] = i * 5 % 37;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&s, 8);
  cudaMalloc(&m, 8);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  stats<<<1, 64>>>(in, s, m);
  cudaMemcpy(a, s, 8, cudaMemcpyDeviceToHost);
  cudaMemcpy(b, m, 8, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", a[0], b[1]);
  cudaFree(in);
  cudaFree(s);
  cudaFree(m);
}
