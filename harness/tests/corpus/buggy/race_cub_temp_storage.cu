// Wrong: two block reductions share one temporary storage, with no barrier between them.
#include <cuda_runtime.h>

#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

constexpr int kBlock = 128;

struct Maximum {
  __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

__global__ void sum_and_maximum(float* out, const float* x) {
  using Reduce = cub::BlockReduce<float, kBlock>;
  __shared__ typename Reduce::TempStorage storage;
  const float mine = x[threadIdx.x];
  const float sum = Reduce(storage).Sum(mine);                 // expect-other: race_shared
  const float best = Reduce(storage).Reduce(mine, Maximum{});  // expect: race_shared
  if (threadIdx.x == 0) out[0] = sum, out[1] = best;
}

int main() {
  std::vector<float> x(kBlock, 1.0f), out(2);
  float *d_x, *d_out;
  cudaMalloc(&d_x, kBlock * sizeof(float));
  cudaMalloc(&d_out, 2 * sizeof(float));
  cudaMemcpy(d_x, x.data(), kBlock * sizeof(float), cudaMemcpyHostToDevice);
  sum_and_maximum<<<1, kBlock>>>(d_out, d_x);
  cudaMemcpy(out.data(), d_out, 2 * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sum %g, maximum %g\n", out[0], out[1]);
  cudaFree(d_x);
  cudaFree(d_out);
}
