// What sums and maxima of a block's columns have in common.
#pragma once

// What join makes of each column over all groups of threads, in every thread.
template <int kThreads, int kLanes, int kVector, class Join>
__device__ inline void over_rows(float (&values)[kVector], float first, Join join) {
  constexpr int kWarps = kThreads / 32, kColumns = kLanes * kVector;
#pragma unroll
  for (int offset = kLanes; offset < 32; offset *= 2)
    for (float& value : values) value = join(value, __shfl_xor_sync(0xffffffffu, value, offset));
  if (kWarps == 1) return;
  __shared__ float of_warps[kWarps][kColumns];  // an element of each lane, then the next one of each
  __shared__ float of_all[kColumns];
  const int lane = threadIdx.x % kLanes;
  __syncthreads();  // the values of the last call have been read
  if (threadIdx.x % 32 < kLanes)
    for (int i = 0; i < kVector; ++i) of_warps[threadIdx.x / 32][i * kLanes + lane] = values[i];
  __syncthreads();
  for (int i = threadIdx.x; i < kColumns; i += kThreads) {
    float all = first;
    for (int warp = 0; warp < kWarps; ++warp) all = join(all, of_warps[warp][i]);
    of_all[i] = all;
  }
  __syncthreads();
  for (int i = 0; i < kVector; ++i) values[i] = of_all[i * kLanes + lane];
}
