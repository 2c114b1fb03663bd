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
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements) y[i] = to_half(to_float(base[i]) + to_float(update[i]));
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
  // Nobody stores the joined matrices: where an element would lie in them says where it lies now.
  for (int first = 0; first < hidden + rank; first += kTile) {
    const int left_k = first + tx, right_k = first + ty;
    float left = 0.0f, right = 0.0f;
    if (row < rows && left_k < hidden)
      left = to_float(x[row * hidden + left_k]);
    else if (row < rows && left_k < hidden + rank)
      left = to_float(low[row * rank + left_k - hidden]);
    if (column < outputs && right_k < hidden)
      right = to_float(w[right_k * outputs + column]);
    else if (column < outputs && right_k < hidden + rank)
      right = to_float(u[(right_k - hidden) * outputs + column]);
    left_tile[ty][tx] = left;
    right_tile[ty][tx] = right;
    __syncthreads();  // both tiles are complete
    for (int k = 0; k < kTile; ++k) sum += left_tile[ty][k] * right_tile[k][tx];
    __syncthreads();  // nobody reads them any more
  }
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
  for (int first = 0; first < hidden; first += kTile) {
    const int h = first + tx, right_h = first + ty;
    x_tile[ty][tx] = row < rows && h < hidden ? to_float(x[row * hidden + h]) : 0.0f;
    w_tile[ty][tx] = right_h < hidden && column < outputs ? to_float(w[right_h * outputs + column]) : 0.0f;
    // Column tx, not `column`: every block needs all of a. It is small and stays in the L2.
    a_tile[ty][tx] = right_h < hidden && tx < rank ? to_float(a[right_h * rank + tx]) : 0.0f;
    __syncthreads();  // the three tiles are complete
    for (int k = 0; k < kTile; ++k) {
      sum += x_tile[ty][k] * w_tile[k][tx];
      low += x_tile[ty][k] * a_tile[k][tx];  // the same element of x, in a register by now
    }
    __syncthreads();  // nobody reads them any more
  }
  // END: fused_loop
  // FILL ME IN: fused_end (roughly 4 lines)
  // A row of x a is spread over the 16 threads of a row of the tile, and each of them needs all of it.
  x_tile[ty][tx] = low;
  w_tile[ty][tx] = ty < rank && column < outputs ? to_float(u[ty * outputs + column]) : 0.0f;
  __syncthreads();  // x a and u are complete
  for (int r = 0; r < rank; ++r) sum += x_tile[ty][r] * w_tile[r][tx];
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
  right[kTile + ty][tx] = ty < rank && column < outputs ? to_float(u[ty * outputs + column]) : 0.0f;
  for (int first = 0; first < hidden; first += kTile) {
    const int h = first + tx, right_h = first + ty;
    left[ty][tx] = row < rows && h < hidden ? to_float(x[row * hidden + h]) : 0.0f;
    right[ty][tx] = right_h < hidden && column < outputs ? to_float(w[right_h * outputs + column]) : 0.0f;
    a_tile[ty][tx] = right_h < hidden && tx < rank ? to_float(a[right_h * rank + tx]) : 0.0f;
    __syncthreads();  // the tiles of x, w and a are complete
    // This round's part of x a. Its product with u is a part of the update: parts add up, so none has to
    // wait for the whole of x a. The price is that product in every round.
    float low = 0.0f;
    for (int k = 0; k < kTile; ++k) low += left[ty][k] * a_tile[k][tx];
    left[ty][kTile + tx] = low;
    __syncthreads();  // the left tile has both halves
    for (int k = 0; k < 2 * kTile; ++k) sum += left[ty][k] * right[k][tx];
    __syncthreads();  // nobody reads them any more
  }
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
  float sum = to_float(w[h * outputs + column]);
  for (int r = 0; r < rank; ++r)  // the element of a is the same for the whole block
    sum += to_float(a[h * rank + r]) * to_float(u[r * outputs + column]);
  merged[h * outputs + column] = to_half(sum);  // one rounding a weight, where the adapter alone has none
  // END: merge
}
