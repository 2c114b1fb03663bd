// Puzzle 05, Broadcast: out[r][c] = a[r] - b[c]. `a` has one value for every row of `out`, `b` one for every
// column. You compute it twice:
//   --expanded   copies a and b into matrices as large as out, and then subtracts the one from the other
//   --broadcast  does without the copies
//
// Each launch is <<<grid, block>>> with blocks of kBlockColumns x kBlockRows threads: x runs along a row of
// the matrix, y from row to row. Blocks come whole, so there are threads beyond the last row and column.
//
// From given.cuh: a Matrix is an mdspan. out(r, c) is the element of row r and column c, out.extent(0) the
// number of rows, out.extent(1) that of columns. `a` and `b` are plain pointers.
#include <cuda_runtime.h>

#include "given.cuh"

// --expanded, the first of two launches: every column of a_matrix becomes a copy of a, every row of
// b_matrix a copy of b. The second launch, subtract_kernel, is given.
__global__ void expand_kernel(Matrix a_matrix, Matrix b_matrix, const float* a, const float* b) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < a_matrix.extent(0) && column < a_matrix.extent(1)) {
    // FILL ME IN: expand (roughly 2 lines)
    // Each value is stored as often as the other vector is long: 8 bytes are written here for every
    // element of out, and read again by the next launch.
    a_matrix(row, column) = a[row];
    b_matrix(row, column) = b[column];
    // END: expand
  }
}

// --broadcast: the same out in one launch, and nothing else is written.
__global__ void broadcast_kernel(Matrix out, const float* a, const float* b) {
  // FILL ME IN: broadcast (roughly 6 lines)
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= out.extent(0) || column >= out.extent(1)) return;
  // The 32 lanes of a warp have one row: a[row] is one address for all of them, asked for once.
  // b[column] are 32 neighbours, and every row below asks for them again: a cache answers. Only out, where
  // every element is another, is as much for DRAM as it looks.
  const float of_row = a[row];
  const float of_column = b[column];
  out(row, column) = of_row - of_column;
  // END: broadcast
}
