// Puzzle 32, Bank conflicts: three kernels that are busy with shared memory, with lanes that wait for each
// other's banks and without.
//   --conflicts      x transposed through a tile whose columns are one bank
//   --padded         the same with rows a word longer
//   --swizzled       the same with rows as they were, each in an order of its own
//   --interleaved    the sum of each row by a tree that adds neighbours, given in given.cuh
//   --sequential     the same by a tree whose lanes read neighbours
//   --conflicts64, --conflicts128   a linear layer, whose weights are read by accesses of 8 and of 16 bytes
//                                   from rows that all begin in bank 0
//   --wide64, --wide128             the same with rows that do not
// Transposes: x [rows, columns], out [columns, rows], half. Sums: x [rows, columns], half, out [rows], float.
// Layer: x [rows, kFeatures], w [kFeatures, kFeatures], out [rows, kFeatures], float. All are row-major, and
// `rows` and `columns` are any numbers.
// kTile = 64, kTileThreadRows = 4, kSlots = 1024, kWarpsPerBlock = 8, kFeatures = 32, kBanks = 32.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "given.cuh"

// --conflicts with kRow = kTile, --padded with kRow = padded_row(). Grid of ceil(columns / kTile) x
// ceil(rows / kTile) blocks of kTile x kTileThreadRows threads: a block moves the tile of x that begins at
// (row, column).
template <int kRow>
__global__ void transpose_kernel(half* out, const half* x, int rows, int columns) {
  __shared__ half tile[kTile][kRow];  // of a row, the first kTile are used
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  const int tx = threadIdx.x;
  // FILL ME IN: transpose (roughly 5 lines)
  // END: transpose
}

// How many halfs lie between the beginnings of two rows of the padded tile, kTile or more.
constexpr int padded_row() {
  int halfs = kTile;
  // FILL ME IN: padding (roughly 1 line)
  // END: padding
  return halfs;
}

// Where element x of row y of the tile lies in row y of the array: every row has an order of its own, which
// uses each place from 0 to kTile - 1 once.
__device__ inline int swizzled(int y, int x) {
  int place = x;
  // FILL ME IN: swizzle (roughly 1 line)
  // END: swizzle
  return place;
}

// --swizzled: launched as transpose_kernel is. Given, but for swizzled().
__global__ void transpose_swizzled_kernel(half* out, const half* x, int rows, int columns) {
  __shared__ half tile[kTile][kTile];
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  const int tx = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kTileThreadRows)
    if (row + y < rows && column + tx < columns)
      tile[y][swizzled(y, tx)] = x[(row + y) * columns + column + tx];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kTileThreadRows)
    if (column + y < columns && row + tx < rows) {
      const half turned = tile[tx][swizzled(tx, y)];
      out[(column + y) * rows + row + tx] = turned;
    }
}

// Fills the kSlots floats of a warp: slot k gets the sum of elements k, k + kSlots, k + 2 kSlots and so on of
// the row, and 0 where there are none.
__device__ inline void fill_slots(float* slots, const half* row, int columns, int lane) {
  // FILL ME IN: slots (roughly 5 lines)
  // END: slots
  __syncwarp();  // the slots are read by other lanes from here on
}

// Adds up the kSlots floats of a warp: their sum ends in slots[0], for lane 0 to read.
__device__ inline void sequential_sum(float* slots, int lane) {
  // FILL ME IN: sequential (roughly 4 lines)
  // END: sequential
}

// --interleaved and --sequential. Grid of ceil(rows / kWarpsPerBlock) blocks; a warp has a row.
template <bool kSequential>
__global__ void row_sums_kernel(float* out, const half* x, int rows, int columns) {
  __shared__ float slots[kWarpsPerBlock][kSlots];
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  const int row = blockIdx.x * kWarpsPerBlock + warp;
  if (row >= rows) return;  // all lanes of a warp have the same row
  fill_slots(slots[warp], x + row * columns, columns, lane);
  if (kSequential)
    sequential_sum(slots[warp], lane);
  else
    interleaved_sum(slots[warp], lane);
  if (lane == 0) out[row] = slots[warp][0];
}

// How many vectors lie between the beginnings of two rows of the tile below, kVectors or more.
template <class Vector>
constexpr int wide_row() {
  int vectors = kVectors<Vector>;
  // FILL ME IN: wide_row (roughly 1 line)
  // END: wide_row
  return vectors;
}

// out = x w^T: out[r][o] is the product of row r of x with row o of w. --conflicts64 and --wide64 take
// float2, --conflicts128 and --wide128 float4; kRow is kVectors or wide_row(). Grid of
// ceil(rows / kFeatures) blocks of kFeatures x kFeatures threads: thread (tx, ty) of a block has output tx of
// the block's row ty. x and w come as vectors, kVectors<Vector> a row.
template <class Vector, int kRow>
__global__ void linear_kernel(float* out, const float* x, const float* w, int rows) {
  __shared__ Vector tile[kFeatures][kRow];  // w; of a row, the first kVectors<Vector> are used
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.x * kFeatures + ty;
  const Vector* x_vectors = reinterpret_cast<const Vector*>(x);
  const Vector* w_vectors = reinterpret_cast<const Vector*>(w);
  // FILL ME IN: linear (roughly 6 lines)
  // END: linear
}
