// Wrong: a group reduces and scans with threads that are not there, and shuffles by more than its width.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sum(const float* x, float* out, int n) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float all =
      cg::reduce(tile, x[i], cg::plus<float>());  // expect: bad_warp_mask; says: the result is undefined
  if (tile.thread_rank() == 0) atomicAdd(out, all);
}

__global__ void count(const float* x, int* out, int n) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const cg::plus<int> add;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int one = x[i] > 0 ? 1 : 0;
    int all = cg::reduce(tile, one, add);  // expect-warning: bad_warp_mask; says: compute capability 8.0
    if (tile.thread_rank() == 0) atomicAdd(out, all);
  }
}

__global__ void places(const float* x, int* out, int n) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] =
      cg::inclusive_scan(tile, static_cast<long long>(x[i]), cg::plus<long long>());  // expect: bad_warp_mask
}

__global__ void of_eight(int* out) {
  int v = threadIdx.x;
  for (int d = 8; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffffu, v, d, 8);  // expect: bad_warp_mask; says: within a width of 8
  if (threadIdx.x % 8 == 0) out[threadIdx.x / 8] = v;
}

int main() {
  const int n = 200;
  float h[n], *x, *total;
  int *counted, *place, got[4];
  for (int i = 0; i < n; ++i) h[i] = 1;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&total, sizeof *total);
  cudaMalloc(&counted, sizeof *counted);
  cudaMalloc(&place, n * sizeof(int));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof *total);
  cudaMemset(counted, 0, sizeof *counted);
  sum<<<1, 256>>>(x, total, n);
  count<<<1, 256>>>(x, counted, n);
  places<<<1, 256>>>(x, place, n);
  of_eight<<<1, 32>>>(place);
  cudaMemcpy(got, place, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%d\n", got[0]);
  cudaFree(x);
  cudaFree(total);
  cudaFree(counted);
  cudaFree(place);
}
