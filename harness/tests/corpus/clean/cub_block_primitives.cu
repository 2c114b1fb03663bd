// CUB's block reduction, scan and warp reduction; where a storage is used again, a barrier stands between.
#include <cuda_runtime.h>

#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

constexpr int kBlock = 128;

__global__ void primitives(int* scanned, int* totals, const int* x) {
  using Reduce = cub::BlockReduce<int, kBlock>;
  using Scan = cub::BlockScan<int, kBlock>;
  using WarpSum = cub::WarpReduce<int>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename WarpSum::TempStorage warp[kBlock / 32];
  } storage;
  const int t = threadIdx.x, value = x[t];
  const int total = Reduce(storage.reduce).Sum(value);
  __syncthreads();
  int before = 0;
  Scan(storage.scan).ExclusiveSum(value, before);
  __syncthreads();
  const int warp_total = WarpSum(storage.warp[t / 32]).Sum(value);
  scanned[t] = before;
  if (t == 0) totals[0] = total;
  if (t % 32 == 0) totals[1 + t / 32] = warp_total;
}

int main() {
  std::vector<int> x(kBlock), scanned(kBlock), totals(5);
  for (int i = 0; i < kBlock; ++i) x[i] = i % 10;
  int *d_x, *d_scanned, *d_totals;
  cudaMalloc(&d_x, kBlock * sizeof(int));
  cudaMalloc(&d_scanned, kBlock * sizeof(int));
  cudaMalloc(&d_totals, 5 * sizeof(int));
  cudaMemcpy(d_x, x.data(), kBlock * sizeof(int), cudaMemcpyHostToDevice);
  primitives<<<1, kBlock>>>(d_scanned, d_totals, d_x);
  cudaMemcpy(scanned.data(), d_scanned, kBlock * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(totals.data(), d_totals, 5 * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0, before = 0;
  for (int i = 0; i < kBlock; ++i) {
    wrong += scanned[i] != before;
    before += x[i];
  }
  wrong += totals[0] != before || totals[1] + totals[2] + totals[3] + totals[4] != before;
  std::printf("total %d, %d wrong\n", totals[0], wrong);
  cudaFree(d_x), cudaFree(d_scanned), cudaFree(d_totals);
  return wrong != 0;
}
