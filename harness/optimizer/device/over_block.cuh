// What sums and maxima over a block have in common.
#pragma once

// What join makes of a warp's values, over a block, in every thread.
template <int kThreads, class Join>
__device__ inline float over_block(float value, float all, Join join) {
  if (kThreads == 32) return value;
  __shared__ float of_warps[kThreads / 32];
  __syncthreads();  // the warps' values of the last call have been read
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  for (int i = 0; i < kThreads / 32; ++i) all = join(all, of_warps[i]);
  return all;
}
