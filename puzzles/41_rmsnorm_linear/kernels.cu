// Puzzle 41, RMSNorm + Linear: y = (x * g / rms(x)) w, with rms(x) = sqrt(mean of x * x + eps) of each row.
//   --unfused      rmsnorm_kernel, then product_kernel of given.cuh: two launches, one tensor between them
//   --fused        fused_kernel: one launch, one thread an output; the division stands behind the product
//   --fused-tiled  fused_tiled_kernel: the same in tiles; the squares are taken from the tile on its way
//   --split        split_kernel, then combine_kernel: four blocks share the sum over h of one tile
// All tensors are row-major and hold half: x [rows, hidden], g [hidden], w [hidden, outputs], y [rows,
// outputs]. Everything is computed in float: to_float and to_half (given.cuh) go between the two.
// kEpsilon, kTile, kParts, block_sum, tile_row_sum and more: given.cuh and tile.h.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "given.cuh"

// --unfused, the first of its launches. A block owns a row: it has kBlockSize threads.
__global__ void rmsnorm_kernel(half* normalized, const half* x, const half* g, int hidden) {
  const int first = blockIdx.x * hidden;  // where this block's row begins
  // FILL ME IN: rmsnorm (roughly 8 lines)
  // END: rmsnorm
}

// --fused: blocks of kTile x kTile threads, a thread for each element of y.
__global__ void fused_kernel(half* y, const half* x, const half* g, const half* w, int rows, int hidden,
                             int outputs) {
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  if (row >= rows || column >= outputs) return;
  // FILL ME IN: fused (roughly 7 lines)
  // END: fused
}

// The two sums that an output needs: of x * g * w, and of x * x.
struct Sums {
  float products, squares;
};

// Both sums over h from `begin` to below `end`, for this thread's row and column. x and w come in tiles, as
// in product_kernel. All threads of the block must call it, those without an element of y too.
__device__ inline Sums tile_sums(const half* x, const half* g, const half* w, int rows, int hidden,
                                 int outputs, int begin, int end) {
  __shared__ float x_tile[kTile][kTile];  // x * g
  __shared__ float w_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  Sums sums = {0.0f, 0.0f};
  // FILL ME IN: tile_sums (roughly 14 lines)
  // END: tile_sums
  return sums;
}

// --fused-tiled: a block of kTile x kTile threads computes one tile of y.
__global__ void fused_tiled_kernel(half* y, const half* x, const half* g, const half* w, int rows, int hidden,
                                   int outputs) {
  const Sums sums = tile_sums(x, g, w, rows, hidden, outputs, 0, hidden);
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  // FILL ME IN: tiled_result (roughly 2 lines)
  // END: tiled_result
}

// --split, the first of its launches: block z adds up part z of h, and divides nothing. A part has part_size
// elements, whole tiles; the last may have fewer, or none.
//   products [kParts, rows, outputs], squares [kParts, rows], both float.
__global__ void split_kernel(float* products, float* squares, const half* x, const half* g, const half* w,
                             int rows, int hidden, int outputs, int part_size) {
  const int part = blockIdx.z;
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  // FILL ME IN: split_parts (roughly 7 lines)
  // END: split_parts
}

// --split, the second: a thread for each element of y, blocks of kBlockSize along a row, blockIdx.y the row.
__global__ void combine_kernel(half* y, const float* products, const float* squares, int rows, int hidden,
                               int outputs) {
  const int row = blockIdx.y;
  const int column = blockIdx.x * kBlockSize + threadIdx.x;
  if (column >= outputs) return;
  // FILL ME IN: combine (roughly 7 lines)
  // END: combine
}
