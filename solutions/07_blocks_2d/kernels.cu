// Puzzle 07, Blocks 2D: out[r][c] = a[r][c] - b[c][r]. `a` and `out` are [R, C], `b` is [C, R].
//
// One kernel for blocks of any shape, launched with three, all of 256 threads:
//   --wide    256 x 1: 256 columns of one row
//   --tall    1 x 256: 256 rows of one column
//   --chosen  the shape that you choose
// x counts columns and y counts rows, as in Puzzle 04. A warp is 32 threads with threadIdx.x running first:
// in a block that is 8 wide, a warp has 8 columns of 4 rows.
//
// From given.cuh: a Matrix is an mdspan, out(r, c) one of its elements, out.extent(0) the number of rows,
// out.extent(1) that of columns.
#include <cuda_runtime.h>

#include "given.cuh"

__global__ void difference_kernel(Matrix out, ConstMatrix a, ConstMatrix b) {
  // FILL ME IN: difference (roughly 4 lines)
  // Nothing here knows the shape of a block: blockDim says it. What a warp touches depends on it, though:
  // neighbours in x find a and out side by side in memory, neighbours in y find b.
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= out.extent(0) || column >= out.extent(1)) return;
  out(row, column) = a(row, column) - b(column, row);
  // END: difference
}

// The blocks that cover a matrix of [rows, columns], whatever their shape. Host code.
dim3 grid_for(dim3 block, int rows, int columns) {
  dim3 grid(1, 1);
  // FILL ME IN: grid (roughly 2 lines)
  // Rounded up in both directions: the last blocks of a row and the last row of blocks are ragged.
  grid.x = (columns + block.x - 1) / block.x;
  grid.y = (rows + block.y - 1) / block.y;
  // END: grid
  return grid;
}

// --chosen: x times y is kThreads.
dim3 chosen_block() {
  dim3 block = kWide;
  // FILL ME IN: shape (roughly 1 line)
  // A sector is 8 floats. Where a block is 8 wide, a warp has whole sectors of a and out, in 4 rows; of b
  // it has half sectors, and the next warp of the block finds the other halves in L1.
  block = dim3(8, 32);
  // END: shape
  return block;
}
