// Puzzle 05, what the learner is handed: matrices of floats by row and column, the shape of a block, and the
// second launch of --expanded.
#pragma once

#include <cuda_runtime.h>

#include <cuda/std/mdspan>

using Matrix = cuda::std::mdspan<float, cuda::std::dextents<int, 2>>;
using ConstMatrix = cuda::std::mdspan<const float, cuda::std::dextents<int, 2>>;

// A block is 32 threads along a row, for 8 rows: each of its warps has 32 neighbours of one row.
constexpr int kBlockColumns = 32;
constexpr int kBlockRows = 8;

// out = a_matrix - b_matrix, element by element; all three are [rows, columns].
__global__ void subtract_kernel(Matrix out, ConstMatrix a_matrix, ConstMatrix b_matrix) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < out.extent(0) && column < out.extent(1))
    out(row, column) = a_matrix(row, column) - b_matrix(row, column);
}
