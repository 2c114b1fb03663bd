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
  // Along a row of C the lanes of a warp read neighbours in b and one and the same element of a. With x and y
  // the other way round each lane would read another row of a: a sector for each lane.
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) {
    float sum = 0.0f;  // in a register: storing to c at each step would be `inner` stores in place of one
    for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * cols + col];
    c[row * cols + col] = sum;
  }
  // END: naive
}

// Grid (1, 1): rows, cols and inner are at most kTile.
__global__ void matmul_single_block_kernel(float* c, const float* a, const float* b, int rows, int cols,
                                           int inner) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x;
  // FILL ME IN: single_block (roughly 8 lines)
  // Three guards, because the three matrices differ in shape: a thread may have an element of a and none of
  // c.
  if (ty < rows && tx < inner) a_tile[ty][tx] = a[ty * inner + tx];
  if (ty < inner && tx < cols) b_tile[ty][tx] = b[ty * cols + tx];
  __syncthreads();  // the sum below reads what other threads have stored
  if (ty < rows && tx < cols) {
    float sum = 0.0f;
    for (int k = 0; k < inner; ++k) sum += a_tile[ty][k] * b_tile[k][tx];
    c[ty * cols + tx] = sum;
  }
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
  float sum = 0.0f;
  for (int first = 0; first < inner; first += kTile) {
    // Outside the matrix a zero is stored: it adds nothing to a sum, and the loop over k needs no guard.
    // Every thread loads and comes to both barriers, also one without an element of c: what it loads is for
    // others.
    a_tile[ty][tx] = row < rows && first + tx < inner ? a[row * inner + first + tx] : 0.0f;
    b_tile[ty][tx] = first + ty < inner && col < cols ? b[(first + ty) * cols + col] : 0.0f;
    __syncthreads();  // both tiles are complete
    // A warp is two rows of 16 threads: two words of a_tile, each for 16 lanes, and 16 neighbours of b_tile.
    // One pass each, no bank conflict.
    for (int k = 0; k < kTile; ++k) sum += a_tile[ty][k] * b_tile[k][tx];
    __syncthreads();  // nobody reads them any more: the next round may overwrite them
  }
  if (row < rows && col < cols) c[row * cols + col] = sum;
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
    copy_or_zero(&a_tile[buffer][ty][tx], a, row * inner + first + tx, row < rows && first + tx < inner);
    copy_or_zero(&b_tile[buffer][ty][tx], b, (first + ty) * cols + col, first + ty < inner && col < cols);
    __pipeline_commit();
    // END: async_fetch
  };
  // FILL ME IN: async_loop (roughly 11 lines)
  float sum = 0.0f;
  int now = 0;  // the buffer to multiply from; the other one is 1 - now
  fetch(now, 0);
  for (int first = 0; first < inner; first += kTile) {
    __pipeline_wait_prior(0);  // my own copies are in; those of other threads need the barrier
    // One barrier does for both: everybody's copies into `now` are in, and everybody has left the other
    // buffer, which was multiplied in the round before.
    __syncthreads();
    if (first + kTile < inner) fetch(1 - now, first + kTile);  // on its way during the sum below
    for (int k = 0; k < kTile; ++k) sum += a_tile[now][ty][k] * b_tile[now][k][tx];
    now = 1 - now;
  }
  if (row < rows && col < cols) c[row * cols + col] = sum;
  // END: async_loop
}
