// Puzzle 41, RMSNorm + Linear: y = (x * g / rms(x)) w, with rms(x) = sqrt(mean of x * x + eps) of each row.
//   --unfused      rmsnorm_kernel, then product_kernel of given.cuh: two launches, one tensor between them
//   --fused        fused_kernel: one launch, one thread an output; the division stands behind the product
//   --fused-tiled  fused_tiled_kernel: the same in tiles; the squares are taken from the tile on its way
//   --split        split_kernel, then combine_kernel: four blocks share the sum over h of one tile
//   --tensor       tensor_kernel: one launch, the products by tensor cores
// All tensors are row-major and hold half: x [rows, hidden], g [hidden], w [hidden, outputs], y [rows,
// outputs]. Everything is computed in float: to_float and to_half (given.cuh) go between the two.
// kEpsilon, kTile, kParts, block_sum, tile_row_sum and more (Stage, WarpMemory, XFragment ...): given.cuh and
// tile.h.
//
// The last rung multiplies fragments, tiles that the registers of a warp hold together (mma.h). All its lanes
// call these:
//   wmma::load_matrix_sync(fragment, address, pitch)    loads 16 x 16 elements whose rows lie `pitch` apart
//   wmma::mma_sync(sums, a, b, sums)                    sums += a b, by the tensor cores
//   wmma::store_matrix_sync(address, sums, pitch, wmma::mem_row_major)    stores 16 x 16 elements likewise
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

// --tensor, a tile of x on its way. Lanes l and l + kTile have row l of it, eight elements in turn: l those
// from 0, 16, ... on, l + kTile those from 8, 24, ... on. Each element is squared and multiplied by its gain,
// in place. Returns the sum of the squares of this lane's elements.
__device__ inline float take_squares(Stage& stage) {
  const int lane = threadIdx.x % kWarpSize, row = lane % kTile;
  float squares = 0.0f;
  // FILL ME IN: tensor_squares (roughly 11 lines)
  // END: tensor_squares
  return squares;
}

// --tensor, the product of a step: the tile of x [kTile, kStep] by that of w [kStep, kWidth], added to
// `sums`. Fragment n of the sums has columns n * kTile and on. Rows of both tiles are kPad further apart than
// they are long.
__device__ inline void multiply(SumFragment (&sums)[kAcross], const Stage& stage) {
  // FILL ME IN: tensor_multiply (roughly 9 lines)
  // END: tensor_multiply
}

// --tensor: a block computes kTile x kWidth elements of y. Its warps share h: of 8, warp 0 takes steps 0, 8,
// 16 and so on. A warp has shared memory of its own, so it waits for its own copies and for no other warp,
// until all are through. How many warps there are depends on the GPU's shared memory.
__global__ void tensor_kernel(half* y, const half* x, const half* g, const half* w, int rows, int hidden,
                              int outputs) {
  extern __shared__ __align__(128) WarpMemory memory[];  // one a warp
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize, warps = blockDim.x / kWarpSize;
  Stage* stages = memory[warp].stages;
  SumFragment products[kAcross];
  for (SumFragment& sums : products) wmma::fill_fragment(sums, 0.0f);
  float squares = 0.0f;
  for (int ahead = 0; ahead < kStages - 1; ++ahead)
    fetch(stages[ahead], x, g, w, rows, hidden, outputs, warp + ahead * warps);
  int now = 0, free = kStages - 1;  // the stage to work on, and the one to fetch into
  for (int step = warp; step * kStep < hidden; step += warps) {
    fetch(stages[free], x, g, w, rows, hidden, outputs, step + (kStages - 1) * warps);
    __pipeline_wait_prior(kStages - 1);  // this lane's copies of this step are in,
    __syncwarp();                        // and those of the other lanes
    squares += take_squares(stages[now]);
    multiply(products, stages[now]);
    __syncwarp();  // nobody reads this stage any more
    free = now;
    now = now + 1 == kStages ? 0 : now + 1;
  }
  WarpSums& mine = memory[warp].sums;
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kWidth;
  // FILL ME IN: tensor_result (roughly 16 lines)
  // END: tensor_result
}
