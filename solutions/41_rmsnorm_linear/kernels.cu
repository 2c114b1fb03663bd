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
  float squares = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kBlockSize) {  // lanes side by side: coalesced
    const float value = to_float(x[first + h]);  // float before it is squared: a half ends at 65504
    squares += value * value;
  }
  const float scale = rsqrtf(block_sum(squares) / hidden + kEpsilon);
  for (int h = threadIdx.x; h < hidden; h += kBlockSize)
    normalized[first + h] = to_half(to_float(x[first + h]) * to_float(g[h]) * scale);
  // END: rmsnorm
}

// --fused: blocks of kTile x kTile threads, a thread for each element of y.
__global__ void fused_kernel(half* y, const half* x, const half* g, const half* w, int rows, int hidden,
                             int outputs) {
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  if (row >= rows || column >= outputs) return;
  // FILL ME IN: fused (roughly 7 lines)
  // 1 / rms is the same for all h, so it may stand behind the sum over h: nobody has to know it before the
  // loop ends, and one pass feeds both sums. g depends on h, so it stays inside.
  float products = 0.0f, squares = 0.0f;
  for (int h = 0; h < hidden; ++h) {
    const float value = to_float(x[row * hidden + h]);
    squares += value * value;  // of x alone: g is no part of rms(x)
    products += value * to_float(g[h]) * to_float(w[h * outputs + column]);
  }
  y[row * outputs + column] = to_half(products * rsqrtf(squares / hidden + kEpsilon));
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
  for (int first = begin; first < end; first += kTile) {
    const int h = first + tx, w_h = first + ty;
    const bool inside = row < rows && h < end;
    const float value = inside ? to_float(x[row * hidden + h]) : 0.0f;
    // The element is in a register on its way to the tile: its square costs one operation, where a thread of
    // fused_kernel squares each element of the row for itself.
    sums.squares += value * value;
    x_tile[ty][tx] = inside ? value * to_float(g[h]) : 0.0f;
    w_tile[ty][tx] = w_h < end && column < outputs ? to_float(w[w_h * outputs + column]) : 0.0f;
    __syncthreads();  // both tiles are complete
    for (int k = 0; k < kTile; ++k) sums.products += x_tile[ty][k] * w_tile[k][tx];
    __syncthreads();  // nobody reads them any more
  }
  // This thread has seen every kTile-th element of its row; its neighbours in the tile have the others.
  sums.squares = tile_row_sum(sums.squares);
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
  if (row < rows && column < outputs)
    y[row * outputs + column] = to_half(sums.products * rsqrtf(sums.squares / hidden + kEpsilon));
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
  const int begin = part * part_size;
  const int end = min(begin + part_size, hidden);  // a part without elements has sums of 0
  const Sums sums = tile_sums(x, g, w, rows, hidden, outputs, begin, end);
  if (row < rows && column < outputs) {
    products[(part * rows + row) * outputs + column] = sums.products;
    if (column == 0) squares[part * rows + row] = sums.squares;  // all columns have the same: one stores it
  }
  // END: split_parts
}

// --split, the second: a thread for each element of y, blocks of kBlockSize along a row, blockIdx.y the row.
__global__ void combine_kernel(half* y, const float* products, const float* squares, int rows, int hidden,
                               int outputs) {
  const int row = blockIdx.y;
  const int column = blockIdx.x * kBlockSize + threadIdx.x;
  if (column >= outputs) return;
  // FILL ME IN: combine (roughly 7 lines)
  // A sum of sums is the whole sum. Of quotients it would not be: that is why no part was divided.
  Sums sums = {0.0f, 0.0f};
  for (int part = 0; part < kParts; ++part) {
    sums.products += products[(part * rows + row) * outputs + column];
    sums.squares += squares[part * rows + row];
  }
  y[row * outputs + column] = to_half(sums.products * rsqrtf(sums.squares / hidden + kEpsilon));
  // END: combine
}

// --tensor, a tile of x on its way. Lanes l and l + kTile have row l of it, eight elements in turn: l those
// from 0, 16, ... on, l + kTile those from 8, 24, ... on. Each element is squared and multiplied by its gain,
// in place. Returns the sum of the squares of this lane's elements.
__device__ inline float take_squares(Stage& stage) {
  const int lane = threadIdx.x % kWarpSize, row = lane % kTile;
  float squares = 0.0f;
  // FILL ME IN: tensor_squares (roughly 11 lines)
  for (int first = lane / kTile * 8; first < kStep; first += 16) {
    Eight values = load_eight(&stage.x[row][first]);
    const Eight gains = load_eight(&stage.g[first]);
    for (int i = 0; i < 8; ++i) {
      const float value = to_float(values.at[i]);
      squares += value * value;
      values.at[i] = to_half(value * to_float(gains.at[i]));  // a fragment holds half: rounded here
    }
    store_eight(&stage.x[row][first], values);
  }
  __syncwarp();  // a fragment takes elements that other lanes have stored
  // END: tensor_squares
  return squares;
}

// --tensor, the product of a step: the tile of x [kTile, kStep] by that of w [kStep, kWidth], added to
// `sums`. Fragment n of the sums has columns n * kTile and on. Rows of both tiles are kPad further apart than
// they are long.
__device__ inline void multiply(SumFragment (&sums)[kAcross], const Stage& stage) {
  // FILL ME IN: tensor_multiply (roughly 9 lines)
  for (int h = 0; h < kStep; h += kTile) {
    XFragment x;  // loaded once, multiplied kAcross times
    wmma::load_matrix_sync(x, &stage.x[0][h], kStep + kPad);
    for (int n = 0; n < kAcross; ++n) {
      WFragment w;
      wmma::load_matrix_sync(w, &stage.w[h][n * kTile], kWidth + kPad);
      wmma::mma_sync(sums[n], x, w, sums[n]);
    }
  }
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
  for (int n = 0; n < kAcross; ++n)
    wmma::store_matrix_sync(&mine.products[0][n * kTile], products[n], kWidth + kPad, wmma::mem_row_major);
  squares += __shfl_xor_sync(kAllLanes, squares, kTile);  // the two lanes of a row
  if (lane < kTile) mine.squares[lane] = squares;
  __syncthreads();  // the sums of all warps are there: the only barrier
  for (int i = threadIdx.x; i < kTile * kWidth; i += blockDim.x) {
    const int row = i / kWidth, column = i % kWidth;
    Sums sums = {0.0f, 0.0f};
    for (int v = 0; v < warps; ++v) {
      sums.products += memory[v].sums.products[row][column];
      sums.squares += memory[v].sums.squares[row];
    }
    if (first_row + row < rows && first_column + column < outputs)
      y[(first_row + row) * outputs + first_column + column] =
          to_half(sums.products * rsqrtf(sums.squares / hidden + kEpsilon));
  }
  // END: tensor_result
}
