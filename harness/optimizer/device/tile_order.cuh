// In which order blocks take tiles.
#pragma once

// Which tile is this block's: of blocks that run together few have other rows, and few other columns, so that
// what they read meets in the L2. Eight rows of tiles are gone through column by column.
__device__ inline int2 tile_of_block() {
  const int number = static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x),
            eight = 8 * static_cast<int>(gridDim.x);
  const int first = number / eight * 8, rows = min(8, static_cast<int>(gridDim.y) - first);
  return {number % eight / rows, first + number % eight % rows};
}
