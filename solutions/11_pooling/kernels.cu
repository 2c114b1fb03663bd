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
  float sum = a[i];
  int count = 1;
  // Each neighbour has a guard of its own: element 0 has one on the right only, the last one on the left
  // only.
  if (i > 0) {
    sum += a[i - 1];
    ++count;
  }
  if (i + 1 < size) {
    sum += a[i + 1];
    ++count;
  }
  out[i] = sum / count;
  // END: window
}

__global__ void pool_shared_kernel(float* out, const float* a, int size) {
  // The thread's own element goes to tile[t]. The two places more, tile[0] and tile[kBlockSize + 1], are the
  // halo: elements that belong to the blocks before and after, and that this block reads as well.
  __shared__ float tile[kBlockSize + 2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int t = threadIdx.x + 1;
  // FILL ME IN: load (roughly 4 lines)
  if (i < size) tile[t] = a[i];
  // The halo costs two reads a block. Its guards are about the array's ends: a[-1] and a[size] do not exist.
  if (threadIdx.x == 0 && i > 0) tile[t - 1] = a[i - 1];
  if (threadIdx.x == kBlockSize - 1 && i + 1 < size) tile[t + 1] = a[i + 1];
  __syncthreads();  // below, a thread reads what its neighbours have loaded; nobody may have left before
  // END: load

  // FILL ME IN: pool (roughly 12 lines)
  if (i >= size) return;
  float sum = tile[t];
  int count = 1;
  // Not t > 1: the first thread of a block has a left neighbour, except in the first block.
  if (i > 0) {
    sum += tile[t - 1];
    ++count;
  }
  if (i + 1 < size) {
    sum += tile[t + 1];
    ++count;
  }
  out[i] = sum / count;
  // END: pool
}
