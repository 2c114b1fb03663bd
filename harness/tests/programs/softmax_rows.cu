// Softmax of each row, three kernels: a block a row with shared memory, a warp a row with cooperative groups,
// and the online form that walks the row once.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

__global__ void softmax_forward_kernel1(float* out, const float* inp, int N, int C) {
  extern __shared__ float shared[];
  int row = blockIdx.x, tid = threadIdx.x;
  const float* x = inp + row * C;
  float maxval = -INFINITY;
  for (int i = tid; i < C; i += blockDim.x) maxval = fmaxf(maxval, x[i]);
  shared[tid] = maxval;
  for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
    __syncthreads();
    if (tid < stride) shared[tid] = fmaxf(shared[tid], shared[tid + stride]);
  }
  __syncthreads();
  float offset = shared[0];
  __syncthreads();
  float sumval = 0.0f;
  for (int i = tid; i < C; i += blockDim.x) {
    float e = expf(x[i] - offset);
    out[row * C + i] = e;
    sumval += e;
  }
  shared[tid] = sumval;
  for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
    __syncthreads();
    if (tid < stride) shared[tid] += shared[tid + stride];
  }
  __syncthreads();
  float sum = shared[0];
  for (int i = tid; i < C; i += blockDim.x) out[row * C + i] /= sum;
}

__global__ void softmax_forward_kernel2(float* out, const float* inp, int N, int C) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (idx >= N) return;
  const float* x = inp + idx * C;
  float maxval = -FLT_MAX;
  for (int i = warp.thread_rank(); i < C; i += warp.size()) maxval = fmaxf(maxval, x[i]);
  maxval = cg::reduce(warp, maxval, cg::greater<float>{});
  float sum = 0.0f;
  for (int i = warp.thread_rank(); i < C; i += warp.size()) sum += __expf(x[i] - maxval);
  sum = cg::reduce(warp, sum, cg::plus<float>{});
  float norm = 1.0f / sum;
  for (int i = warp.thread_rank(); i < C; i += warp.size())
    __stcs(out + idx * C + i, __expf(x[i] - maxval) * norm);
}

struct __align__(8) SumMax {
  float maxval, sum;
};

__device__ __forceinline__ SumMax combine(SumMax a, SumMax b) {
  bool a_bigger = a.maxval > b.maxval;
  SumMax bigger = a_bigger ? a : b, smaller = a_bigger ? b : a;
  return {bigger.maxval, bigger.sum + smaller.sum * expf(smaller.maxval - bigger.maxval)};
}

__global__ void softmax_forward_online(float* out, const float* inp, int N, int C) {
  int warps_per_block = blockDim.x / 32, lane = threadIdx.x % 32;
  int row = blockIdx.x * warps_per_block + threadIdx.x / 32;
  if (row >= N) return;
  SumMax mine{-FLT_MAX, 0.0f};
  for (int i = lane; i < C; i += 32) mine = combine(mine, {inp[row * C + i], 1.0f});
  for (int offset = 16; offset > 0; offset >>= 1) {
    SumMax other{__shfl_xor_sync(0xffffffff, mine.maxval, offset),
                 __shfl_xor_sync(0xffffffff, mine.sum, offset)};
    mine = combine(mine, other);
  }
  for (int i = lane; i < C; i += 32)
    out[row * C + i] = expf(__ldcs(inp + row * C + i) - mine.maxval) / mine.sum;
}

int main() {
  const int N = 33, C = 301;
  std::vector<float> inp(N * C), out(N * C), expected(N * C);
  for (float& v : inp) v = 10.0f * (static_cast<float>(rand()) / RAND_MAX - 0.5f);
  for (int r = 0; r < N; ++r) {
    double most = -1e30, sum = 0.0;
    for (int c = 0; c < C; ++c) most = std::fmax(most, inp[r * C + c]);
    for (int c = 0; c < C; ++c) sum += std::exp(inp[r * C + c] - most);
    for (int c = 0; c < C; ++c)
      expected[r * C + c] = static_cast<float>(std::exp(inp[r * C + c] - most) / sum);
  }
  float *d_inp, *d_out;
  cudaMalloc(&d_inp, N * C * sizeof(float));
  cudaMalloc(&d_out, N * C * sizeof(float));
  cudaMemcpy(d_inp, inp.data(), N * C * sizeof(float), cudaMemcpyHostToDevice);
  int failures = 0;
  for (int kernel = 1; kernel <= 3; ++kernel) {
    const int block = 128, rows = block / 32;
    if (kernel == 1) softmax_forward_kernel1<<<N, block, block * sizeof(float)>>>(d_out, d_inp, N, C);
    if (kernel == 2) softmax_forward_kernel2<<<(N + rows - 1) / rows, block>>>(d_out, d_inp, N, C);
    if (kernel == 3) softmax_forward_online<<<(N + rows - 1) / rows, block>>>(d_out, d_inp, N, C);
    cudaMemcpy(out.data(), d_out, N * C * sizeof(float), cudaMemcpyDeviceToHost);
    float worst = 0.0f;
    for (int i = 0; i < N * C; ++i) worst = std::fmax(worst, std::fabs(out[i] - expected[i]));
    std::printf("kernel %d: largest error %g\n", kernel, worst);
    failures += !(worst < 1e-5f);
  }
  cudaFree(d_inp);
  cudaFree(d_out);
  return failures;
}
