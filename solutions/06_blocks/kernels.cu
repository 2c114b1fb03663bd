// Puzzle 06, Blocks: x[i] = x[i] / 2 + 3 for every i, in place, by a grid of any number of blocks.
//
// One kernel, launched in three ways, each with blocks of kBlockSize threads:
//   --few    kFewBlocks blocks, whatever the size: most threads have several elements
//   --many   a block for every kBlockSize elements, as in Puzzle 01: a thread has one element or none
//   --wave   as many blocks as the GPU can run at the same time, which your host function works out
// The kernel may not know which it is. From CUDA: blockIdx.x, blockDim.x, threadIdx.x, and
//   gridDim.x    the number of blocks in the grid
//
// In place means that an element that is visited twice is halved twice: each has to have one thread.
#include <cuda_runtime.h>

#include <algorithm>

#include "given.cuh"

__global__ void stride_kernel(float* x, int size) {
  // FILL ME IN: stride (roughly 3 lines)
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  // All threads of the grid take neighbouring elements, then move on together by the size of the grid:
  // at every turn a warp has 32 neighbours. With a run of elements for each thread, it never would.
  const int step = gridDim.x * blockDim.x;
  for (int i = first; i < size; i += step) x[i] = x[i] / 2 + 3;
  // END: stride
}

// --wave: the number of blocks to launch for `size` elements. Host code: it runs on the CPU, and asks with
//   cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device)
//   cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, kernel, threads in a block, bytes of shared memory)
int blocks_of_a_wave(int size) {
  int blocks = 1;
  // FILL ME IN: wave (roughly 6 lines)
  int device = 0, sms = 0, blocks_per_sm = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, stride_kernel, kBlockSize, 0);
  // These start at once: none has to wait for another to end. Never more than have an element.
  const int needed = (size + kBlockSize - 1) / kBlockSize;
  blocks = std::min(needed, sms * blocks_per_sm);
  // END: wave
  return blocks;
}
