// Sums and histograms: one partial sum a block, or one count a bin. Blocks of kReduceBlock threads.
#pragma once

constexpr int kReduceBlock = 256;
constexpr int kBins = 256;
constexpr unsigned kAllLanes = 0xffffffffu;

// A tree in shared memory: eight rounds, a barrier each.
__device__ inline void add_in_shared(float value, float* partial) {
  __shared__ float sums[kReduceBlock];
  sums[threadIdx.x] = value;
  __syncthreads();
  for (int half = kReduceBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *partial = sums[0];
}

__device__ inline float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(kAllLanes, value, offset);
  return value;
}

__global__ void reduce_shared_kernel(float* partial, const float* in, int count) {
  const int i = blockIdx.x * kReduceBlock + threadIdx.x;
  add_in_shared(i < count ? in[i] : 0.0f, partial + blockIdx.x);
}

// Shuffles within the warps, then one warp adds the eight results: one barrier.
__global__ void reduce_shuffle_kernel(float* partial, const float* in, int count) {
  __shared__ float sums[kReduceBlock / 32];
  const int i = blockIdx.x * kReduceBlock + threadIdx.x;
  float value = warp_sum(i < count ? in[i] : 0.0f);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  value = warp_sum(threadIdx.x < kReduceBlock / 32 ? sums[threadIdx.x] : 0.0f);
  if (threadIdx.x == 0) partial[blockIdx.x] = value;
}

// All blocks count in one set of bins.
__global__ void histogram_global_kernel(unsigned* bins, const int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(&bins[values[i] % kBins], 1u);
}

constexpr int kPerThread = 16;  // elements a thread counts before its block adds its bins to the others'

__global__ void histogram_shared_kernel(unsigned* bins, const int* values, int count) {
  __shared__ unsigned mine[kBins];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const int first = blockIdx.x * kReduceBlock * kPerThread + threadIdx.x;
  for (int k = 0; k < kPerThread; ++k) {
    const int i = first + k * kReduceBlock;
    if (i < count) atomicAdd(&mine[values[i] % kBins], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

// One counter for the whole grid, one atomic a warp: contention between warps and none within.
__global__ void count_positive_kernel(unsigned* counter, const float* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned votes = __ballot_sync(kAllLanes, i < count && in[i] > 0.0f);
  if (threadIdx.x % 32 == 0) atomicAdd(counter, static_cast<unsigned>(__popc(votes)));
}

// The fused and the unfused way to a sum of squared differences.
__global__ void squared_difference_kernel(float* out, const float* a, const float* b, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = (a[i] - b[i]) * (a[i] - b[i]);
}

__global__ void squared_error_kernel(float* partial, const float* a, const float* b, int count) {
  const int i = blockIdx.x * kReduceBlock + threadIdx.x;
  const float difference = i < count ? a[i] - b[i] : 0.0f;
  add_in_shared(difference * difference, partial + blockIdx.x);
}
