// Puzzle 15, Axis sum: a matrix a [rows, cols], row-major, is summed along one axis; the other one is kept.
//   --thread-per-row  sum_thread_per_row_kernel: out[row], one thread walks along one row
//   --block-per-row   sum_block_per_row_kernel: out[row], the kThreads threads of a block share one row
//   --columns         sum_columns_kernel: out[col], a block of kAcross x kDown threads shares kAcross columns
//
// Where threads share a sum, each first adds up its part in a register. Then the parts are added in shared
// memory by the tree of Puzzle 12: the first half of the threads takes over what the second half has, with a
// barrier before each round.
#include <cuda_runtime.h>

#include "given.cuh"

// Grid ceil(rows / kThreads), blocks of kThreads.
__global__ void sum_thread_per_row_kernel(float* out, const float* a, int rows, int cols) {
  // FILL ME IN: thread_per_row (roughly 6 lines)
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    // Right, and slow: at each step the 32 lanes of a warp stand in 32 rows, each in a sector of its own.
    for (int col = 0; col < cols; ++col) sum += a[row * cols + col];
    out[row] = sum;
  }
  // END: thread_per_row
}

// Grid (rows): block b has row b, so there is no row too many and no guard.
__global__ void sum_block_per_row_kernel(float* out, const float* a, int cols) {
  __shared__ float partial[kThreads];
  const int row = blockIdx.x;
  const int t = threadIdx.x;
  // FILL ME IN: block_per_row (roughly 8 lines)
  float sum = 0.0f;
  // Lanes side by side along the row: 32 neighbours, four sectors. A thread past the end of a short row adds
  // nothing and still stores its 0, for the tree reads all kThreads parts.
  for (int col = t; col < cols; col += kThreads) sum += a[row * cols + col];
  partial[t] = sum;
  for (int active = kThreads / 2; active > 0; active /= 2) {
    __syncthreads();  // outside the condition: all threads come to it, also those that add nothing
    if (t < active) partial[t] += partial[t + active];
  }
  if (t == 0) out[row] = partial[0];  // the thread that made the last addition: no barrier in between
  // END: block_per_row
}

// Grid ceil(cols / kAcross), blocks of kAcross x kDown: thread (tx, ty) adds every kDown-th element of column
// `col`, from row ty on. A warp is one ty: it reads along a row, though the sums go down the columns.
__global__ void sum_columns_kernel(float* out, const float* a, int rows, int cols) {
  __shared__ float partial[kDown][kAcross];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * kAcross + tx;
  // FILL ME IN: columns (roughly 9 lines)
  float sum = 0.0f;
  if (col < cols)
    for (int row = ty; row < rows; row += kDown) sum += a[row * cols + col];
  partial[ty][tx] = sum;
  // The tree folds y; x stays. Each warp reads and writes whole rows of `partial`: no bank conflict.
  for (int active = kDown / 2; active > 0; active /= 2) {
    __syncthreads();
    if (ty < active) partial[ty][tx] += partial[ty + active][tx];
  }
  if (ty == 0 && col < cols) out[col] = partial[0][tx];
  // END: columns
}
