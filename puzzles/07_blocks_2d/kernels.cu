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
  // END: difference
}

// The blocks that cover a matrix of [rows, columns], whatever their shape. Host code.
dim3 grid_for(dim3 block, int rows, int columns) {
  dim3 grid(1, 1);
  // FILL ME IN: grid (roughly 2 lines)
  // END: grid
  return grid;
}

// --chosen: x times y is kThreads.
dim3 chosen_block() {
  dim3 block = kWide;
  // FILL ME IN: shape (roughly 1 line)
  // END: shape
  return block;
}
