// Puzzle 42, LoRA + Linear: y = x w + (x a) u, a linear layer w and beside it an adapter of two thin
// matrices.
//   --unfused  product_kernel of given.cuh three times, then add_kernel: four launches, three tensors between
//   --two      x a by product_kernel, then joined_kernel: [x | x a] times [w over u], one sum
//   --fused    fused_kernel: one launch; x a grows beside x w in the same loop, then goes into the same sum
//   --concat   concat_kernel: one launch; the two products on joined tiles, tile by tile
//   --merged   merge_kernel makes w + a u, once for all calls; product_kernel is all that a call launches
// All tensors are row-major and hold half: x [rows, hidden], w [hidden, outputs], a [hidden, rank],
// u [rank, outputs], y [rows, outputs]. Everything is computed in float: to_float and to_half (given.cuh) go
// between the two. kTile, kBlockSize, kLeftStride: given.cuh and tile.h.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "given.cuh"

// --unfused, the last of its launches: base = x w and update = (x a) u are there. A thread an element of y,
// `elements` of them.
__global__ void add_kernel(half* y, const half* base, const half* update, int elements) {
  // FILL ME IN: add (roughly 2 lines)
  // END: add
}

// --two, the second of its launches. low [rows, rank] is x a. A block of kTile x kTile threads computes one
// tile of y.
__global__ void joined_kernel(half* y, const half* x, const half* low, const half* w, const half* u, int rows,
                              int hidden, int outputs, int rank) {
  __shared__ float left_tile[kTile][kTile];   // of [x | low]: rows of hidden + rank elements
  __shared__ float right_tile[kTile][kTile];  // of [w over u]: hidden + rank rows
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  // FILL ME IN: joined (roughly 17 lines)
  // END: joined
  if (row < rows && column < outputs) y[row * outputs + column] = to_half(sum);
}

// --fused: a block of kTile x kTile threads computes one tile of y, and x a for its rows. rank <= kTile.
__global__ void fused_kernel(half* y, const half* x, const half* w, const half* a, const half* u, int rows,
                             int hidden, int outputs, int rank) {
  __shared__ float x_tile[kTile][kTile];
  __shared__ float w_tile[kTile][kTile];
  __shared__ float a_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  float sum = 0.0f;  // of this thread's row and column of y
  float low = 0.0f;  // of this row and of column tx of x a
  // FILL ME IN: fused_loop (roughly 12 lines)
  // END: fused_loop
  // FILL ME IN: fused_end (roughly 4 lines)
  // END: fused_end
  if (row < rows && column < outputs) y[row * outputs + column] = to_half(sum);
}

// --concat: the same tile of y, as two products a round. The left tile is [x tile | x tile times a tile], the
// right one [w tile over u]. rank <= kTile.
__global__ void concat_kernel(half* y, const half* x, const half* w, const half* a, const half* u, int rows,
                              int hidden, int outputs, int rank) {
  __shared__ float left[kTile][kLeftStride];  // columns 0 to kTile - 1, then kTile to 2 kTile - 1
  __shared__ float right[2 * kTile][kTile];
  __shared__ float a_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  // FILL ME IN: concat (roughly 14 lines)
  // END: concat
  if (row < rows && column < outputs) y[row * outputs + column] = to_half(sum);
}

// --merged, beforehand: merged = w + a u. A thread an element, blocks of kBlockSize along a row, blockIdx.y
// the row.
__global__ void merge_kernel(half* merged, const half* w, const half* a, const half* u, int outputs,
                             int rank) {
  const int h = blockIdx.y;
  const int column = blockIdx.x * kBlockSize + threadIdx.x;
  if (column >= outputs) return;
  // FILL ME IN: merge (roughly 4 lines)
  // END: merge
}
