// Wrong: what a collective of CUB gives where it defines no result, used there.
#include <cub/cub.cuh>

#include <cstdio>

__global__ void centre(const float* x, float* y) {
  using Reduce = cub::BlockReduce<float, 64>;
  __shared__ typename Reduce::TempStorage room;
  const float sum = Reduce(room).Sum(x[threadIdx.x]);  // expect-other: uninit_local
  y[threadIdx.x] = x[threadIdx.x] - sum / 64;          // expect: uninit_local
}

__global__ void place_of_largest(const float* x, float* y) {
  using Reduce = cub::BlockReduce<int, 64>;
  __shared__ typename Reduce::TempStorage room;
  const int mine = static_cast<int>(x[threadIdx.x]);
  const int most = Reduce(room).Reduce(mine, cub::Max());    // expect-other: uninit_local
  if (mine == most) y[0] = static_cast<float>(threadIdx.x);  // expect: uninit_local
}

__global__ void last_thread_stores(const float* x, float* y) {
  using Reduce = cub::BlockReduce<float, 64>;
  __shared__ typename Reduce::TempStorage room;
  __shared__ float mean;
  const float sum = Reduce(room).Sum(x[threadIdx.x]);  // expect-other: uninit_local
  if (threadIdx.x == 63) mean = sum / 64;
  __syncthreads();
  y[threadIdx.x] = x[threadIdx.x] - mean;  // expect: uninit_local
}

__global__ void all_add(const float* x, float* y) {
  using Reduce = cub::WarpReduce<float>;
  __shared__ typename Reduce::TempStorage room[2];
  const float sum = Reduce(room[threadIdx.x / 32]).Sum(x[threadIdx.x]);  // expect-other: uninit_local
  atomicAdd(y, sum);                                                     // expect: uninit_local
}

__global__ void largest_before(const float* x, float* y) {
  using Scan = cub::BlockScan<float, 64>;
  __shared__ typename Scan::TempStorage room;
  float before;
  Scan(room).ExclusiveScan(x[threadIdx.x], before, cub::Max());  // expect-other: uninit_local
  y[threadIdx.x] = before;                                       // expect: uninit_local
}

void show(const float* y) {
  float got[64], sum = 0.0f;
  cudaMemcpy(got, y, sizeof got, cudaMemcpyDeviceToHost);
  for (const float v : got) sum += v;
  std::printf("%g\n", static_cast<double>(sum));
}

int main() {
  float host[64], *x, *y;
  for (int i = 0; i < 64; ++i) host[i] = static_cast<float>(1 + 3 * i % 64 + 50);
  cudaMalloc(&x, sizeof host);
  cudaMallocManaged(&y, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  centre<<<1, 64>>>(x, y), show(y);
  cudaMemset(y, 0, sizeof host);
  place_of_largest<<<1, 64>>>(x, y), show(y);
  last_thread_stores<<<1, 64>>>(x, y), show(y);
  cudaMemset(y, 0, sizeof host);
  all_add<<<1, 64>>>(x, y), show(y);
  largest_before<<<1, 64>>>(x, y);
  cudaDeviceSynchronize();
  std::printf("%g\n", static_cast<double>(y[0]));
  cudaFree(x), cudaFree(y);
}
