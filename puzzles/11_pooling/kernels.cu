// Puzzle 11, Pooling: out[i] is the mean of a[i] and of its neighbours a[i - 1] and a[i + 1]. At each end of
// the array one neighbour does not exist: there it is the mean of those that do.
//   --global  pool_global_kernel: every thread reads its window from global memory
//   --shared  pool_shared_kernel: the block reads each of its elements once, and its threads share them
//
// Both are launched as <<<blocks, kBlockSize>>>(out, a, size) with kBlockSize = 256, one thread an element.
// CUDA gives you what Puzzle 08 used: __shared__ arrays, one a block, and __syncthreads(), the barrier that
// every thread of the block has to reach.
#include <cuda_runtime.h>

// Three reads for one result. Only the first of them has to come from DRAM: the neighbours lie in sectors
// that this warp has fetched already, and the cache answers.
__global__ void pool_global_kernel(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  // FILL ME IN: window (roughly 11 lines)
  // END: window
}

__global__ void pool_shared_kernel(float* out, const float* a, int size) {
  // The thread's own element goes to tile[t]. The two places more, tile[0] and tile[kBlockSize + 1], are the
  // halo: elements that belong to the blocks before and after, and that this block reads as well.
  __shared__ float tile[kBlockSize + 2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int t = threadIdx.x + 1;
  // FILL ME IN: load (roughly 4 lines)
  // END: load

  // FILL ME IN: pool (roughly 12 lines)
  // END: pool
}
