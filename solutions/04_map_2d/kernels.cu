// Puzzle 04, Map 2D: out(row, col) = a(row, col) + kSlope * (col - row), one thread an element.
//   --raw      the matrix is a pointer: rows one after another, `cols` elements each
//   --mdspan   the matrix is an mdspan: out(row, col)
//   --swapped  as --raw, but launched with x along the rows and y along the columns
//
// Blocks and grids have two dimensions here. A thread learns its place in both from
//   blockIdx.x, blockDim.x, threadIdx.x    and    blockIdx.y, blockDim.y, threadIdx.y
// Both ends may be ragged: a thread can lie beside the matrix, or below it, or both.
#include <cuda_runtime.h>

// Threads of a block, 32 along x and 8 along y. A warp is 32 threads with neighbouring threadIdx.x and the
// same threadIdx.y. kSlope stands in given.h.
constexpr int kBlockX = 32;
constexpr int kBlockY = 8;

// Grid (ceil(cols / kBlockX), ceil(rows / kBlockY)): x counts columns, y rows.
__global__ void raw_kernel(float* out, const float* a, int rows, int cols) {
  // FILL ME IN: raw (roughly 5 lines)
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= cols) return;
  // Before this row lie `row` whole rows. Along a warp only col changes, so its 32 elements are neighbours.
  const int i = row * cols + col;
  // Both indices are int: the difference of two unsigned numbers would be huge where col < row.
  out[i] = a[i] + kSlope * (col - row);
  // END: raw
}

// The same grid. Matrix and ConstMatrix are in given.cuh.
__global__ void mdspan_kernel(Matrix out, ConstMatrix a) {
  // FILL ME IN: mdspan (roughly 4 lines)
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= out.extent(0) || col >= out.extent(1)) return;
  out(row, col) = a(row, col) + kSlope * (col - row);  // row * cols + col, written once, in the library
  // END: mdspan
}

// Grid (ceil(rows / kBlockX), ceil(cols / kBlockY)): x counts rows, y columns.
__global__ void swapped_kernel(float* out, const float* a, int rows, int cols) {
  // FILL ME IN: swapped (roughly 5 lines)
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= cols) return;
  // Along a warp only row changes: its 32 elements lie `cols` apart, each in a sector of its own.
  const int i = row * cols + col;
  out[i] = a[i] + kSlope * (col - row);
  // END: swapped
}
