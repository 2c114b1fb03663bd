// Puzzle 42, LoRA + Linear: y = x w + (x a) u, a linear layer w and beside it an adapter, a and u.
//   --unfused  product_kernel of given.cuh three times, then add_kernel: four launches, three tensors between
//   --two      x a by product_kernel, then joined_kernel: [x | x a] times [w over u], one sum
//   --fused    fused_kernel: one launch; x a grows beside x w in the same loop, then goes into the same sum
//   --concat   concat_kernel: one launch; the two products on joined tiles, tile by tile
//   --merged   merge_kernel makes w + a u, once for all calls; product_kernel is all that a call launches
//   --tensor   tensor_kernel: one launch, the products by tensor cores, the steps of h shared among warps
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
  // END: fused_loop
  // FILL ME IN: fused_end (roughly 4 lines)
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
  // END: merge
}

// --tensor multiplies fragments, as in Puzzle 41 (mma.h). All lanes of a warp call these together:
//   wmma::load_matrix_sync(fragment, address, pitch)    loads 16 x 16 elements whose rows lie `pitch` apart
//   wmma::mma_sync(sum, left, right, sum)               sum += left right, three fragments
//   wmma::store_matrix_sync(address, sum, pitch, wmma::mem_row_major)    stores 16 x 16 elements likewise
// LeftFragment, RightFragment, SumFragment, Stage, WarpSums, the pitches and round_low: given.cuh.

// Adds the products of one step to the sums. All lanes of a warp call it.
//   stage.x [16][kStep]; stage.wa [kStep][kColumns + 16], in each row the columns of w, then those of a.
//   sums[n]: 16 rows x 16 columns of x [w | a], from column 16 n on. So sums[kAcross] is x a.
__device__ inline void multiply_step(SumFragment (&sums)[kAcross + 1], const Stage& stage) {
  // FILL ME IN: tensor_step (roughly 9 lines)
  // END: tensor_step
}

// --tensor: a block computes 16 rows x kColumns columns of y. Its warps share the steps along h: of 8, warp 0
// takes steps 0, 8, 16 and so on. Each has stages of its own, and waits for no other warp until all are
// through. How many warps there are depends on the GPU's shared memory. rank <= kFragment.
__global__ void tensor_kernel(half* y, const half* x, const half* w, const half* a, const half* u, int rows,
                              int hidden, int outputs, int rank) {
  extern __shared__ __align__(128) Ring rings[];  // one a warp
  __shared__ __align__(128) UTile u_tile;         // [16][kColumns], with zeros below row rank - 1
  const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
  Stage* stages = rings[warp].stages;
  SumFragment sums[kAcross + 1];
  for (SumFragment& sum : sums) wmma::fill_fragment(sum, 0.0f);
  fetch_u(u_tile, u, outputs, rank);
  for (int ahead = 0; ahead < kStages - 1; ++ahead)
    fetch(stages[ahead], x, w, a, rows, hidden, outputs, rank, warp + ahead * warps);
  int now = 0, free = kStages - 1;  // the stage to multiply, and the one to fetch into
  for (int step = warp; step * kStep < hidden; step += warps) {
    fetch(stages[free], x, w, a, rows, hidden, outputs, rank, step + (kStages - 1) * warps);
    __pipeline_wait_prior(kStages - 1);  // this lane's copies of this step are in,
    __syncwarp();                        // and those of the other lanes
    multiply_step(sums, stages[now]);
    __syncwarp();  // nobody reads this stage any more
    free = now;
    now = now + 1 == kStages ? 0 : now + 1;
  }
  __pipeline_wait_prior(0);         // a warp without a step has not waited yet
  __syncthreads();                  // u is there, whoever has copied it
  WarpSums& end = rings[warp].end;  // the stages are free
  // FILL ME IN: tensor_update (roughly 11 lines)
  // END: tensor_update
  const int first_row = blockIdx.y * kFragment, first_column = blockIdx.x * kColumns;
  // FILL ME IN: tensor_result (roughly 10 lines)
  // END: tensor_result
}
