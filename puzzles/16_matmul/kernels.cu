// Puzzle 16, Matrix multiplication: C = A B. Element c[i,j] is the sum over k of a[i,k] * b[k,j].
//   --naive         matmul_naive_kernel: one thread an element of C, all reads from global memory
//   --single-block  matmul_single_block_kernel: matrices that fit into one tile, read once into shared memory
//   --tiled         matmul_tiled_kernel: any size, one tile of A and one of B after another
//   --async-tiled   matmul_async_kernel: the next two tiles travel while these two are multiplied
// All matrices are row-major: a [rows, inner], b [inner, cols], c [rows, cols].
//
// The launch is the same for all: blocks of kTile x kTile threads (16 x 16), a grid of ceil(cols / kTile) x
// ceil(rows / kTile) blocks. The rows of a matrix and the columns of the other need not be multiples of
// kTile.
//
// The last rung uses copies that run on their own, from cuda_pipeline.h. Each thread orders its own:
//   copy_or_zero(to, from, index, inside)   begin a copy, or a zero (given.cuh)
//   __pipeline_commit()                     what was begun since the last commit is one group
//   __pipeline_wait_prior(n)                wait until only the last n groups of this thread are under way
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include "given.cuh"

__global__ void matmul_naive_kernel(float* c, const float* a, const float* b, int rows, int cols, int inner) {
  // FILL ME IN: naive (roughly 7 lines)
  // END: naive
}

// Grid (1, 1): rows, cols and inner are at most kTile.
__global__ void matmul_single_block_kernel(float* c, const float* a, const float* b, int rows, int cols,
                                           int inner) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x;
  // FILL ME IN: single_block (roughly 8 lines)
  // END: single_block
}

// A block computes one tile of C. It needs kTile rows of a and kTile columns of b, tile after tile along
// `inner`; each element that it reads from global memory serves kTile threads.
__global__ void matmul_tiled_kernel(float* c, const float* a, const float* b, int rows, int cols, int inner) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile + tx;
  // FILL ME IN: tiled (roughly 9 lines)
  // END: tiled
}

// The same, with two buffers for each tile: while one is multiplied, the other is filled.
__global__ void matmul_async_kernel(float* c, const float* a, const float* b, int rows, int cols, int inner) {
  __shared__ float a_tile[2][kTile][kTile];
  __shared__ float b_tile[2][kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile + tx;
  // fetch(buffer, first): this thread's two copies, of the tiles that begin at `first`, into that buffer.
  const auto fetch = [&](int buffer, int first) {
    // FILL ME IN: async_fetch (roughly 3 lines)
    // END: async_fetch
  };
  // FILL ME IN: async_loop (roughly 11 lines)
  // END: async_loop
}
