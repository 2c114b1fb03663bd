// Puzzle 33, Tensor cores: C = A B^T on the units that multiply whole tiles. Element c[i,j] is the sum over k
// of a[i,k] * b[j,k]: b holds its columns as rows, as the weights of a linear layer lie.
//   --tiled      tiled_kernel: the best loop of Puzzle 16, for half
//   --wmma       wmma_kernel: tensor cores by CUDA's own fragments
//   --mma        one_stage_kernel: the instruction itself, each lane loads the words that are its own
//   --ldmatrix   one_stage_kernel: the same words by one instruction in place of four loads
//   --pipelined  ring_kernel: three stages, so that copies run ahead of the products, and two sets of
//   registers, so
//                that loads do; rows without padding
//   --bf16       the same for bfloat16
//   --tf32       the same for float, of which the tensor cores read 19 bits
// a [rows, inner], b [columns, inner], half; c [rows, columns], float. All are row-major.
//
// A block has 128 rows and 256 columns of c, a warp of it 64 x 64. Both factors come through shared memory in
// steps of 128 bytes a row: 8 pieces of 16 bytes. The instruction takes 32 bytes of each row: a slice.
// Tiles, copies and sizes: given.cuh, sizes.h. Instructions: mma.cuh.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "given.cuh"

// --tiled: as in Puzzle 16, a thread an element of c, blocks of kTile x kTile threads.
__global__ void tiled_kernel(float* c, const half* a, const half* b, int rows, int columns, int inner) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile + 1];  // row j of it is row j of b
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
  const int b_row = blockIdx.x * kTile + ty;
  float sum = 0.0f;
  for (int first = 0; first < inner; first += kTile) {
    const bool inside = first + tx < inner;
    a_tile[ty][tx] = row < rows && inside ? __half2float(a[row * inner + first + tx]) : 0.0f;
    b_tile[ty][tx] = b_row < columns && inside ? __half2float(b[b_row * inner + first + tx]) : 0.0f;
    __syncthreads();
    // FILL ME IN: loop (roughly 1 line)
    // END: loop
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

// --wmma: adds the products of one step to the 64 x 64 sums of a warp. All its lanes call it.
//   a, b   the warp's 64 rows of either tile; rows lie kPitchHalfs apart, a step has kStep<half> = 64 halfs
//   sums   sums[m][n] is the fragment of rows from 16 m on and columns from 16 n on
__device__ inline void wmma_step(SumFragments& sums, const half* a, const half* b) {
  // FILL ME IN: wmma_step (roughly 11 lines)
  // END: wmma_step
}

// --wmma. Given, but for wmma_step().
__global__ void __launch_bounds__(kThreads) wmma_kernel(Product<half> product) {
  extern __shared__ __align__(128) uint4 memory[];
  auto& stage = *reinterpret_cast<Stage<Padded>*>(memory);
  const int warp = threadIdx.x / kWarpSize;
  const int warp_row = warp / kWarpsAcross * kWarpRows, warp_column = warp % kWarpsAcross * kWarpColumns;
  SumFragments sums;
  for (auto& line : sums)
    for (SumFragment& sum : line) wmma::fill_fragment(sum, 0.0f);
  for (int step = 0; step < product.steps(); ++step) {
    fetch(stage, product, step);
    __pipeline_wait_prior(0);
    __syncthreads();
    wmma_step(sums, reinterpret_cast<const half*>(stage.a.piece(warp_row, 0)),
              reinterpret_cast<const half*>(stage.b.piece(warp_column, 0)));
    __syncthreads();
  }
  store_fragments(product, sums, memory, warp_row, warp_column);
}

// --mma: for mma(), 16 rows of a tile from `row` on, slice `slice` of each, word by word.
template <class Tile>
__device__ inline void a_by_hand(unsigned (&a)[4], const Tile& tile, int row, int slice) {
  const int lane = threadIdx.x % kWarpSize, first = slice * kMmaBytes / 4;  // words before the slice
  // FILL ME IN: a_by_hand (roughly 3 lines)
  // END: a_by_hand
}

// The same of b for two mma() side by side, 16 rows of b: b[0] and b[1] are b0 and b1 of the first eight,
// b[2] and b[3] of the next.
template <class Tile>
__device__ inline void b_by_hand(unsigned (&b)[4], const Tile& tile, int row, int slice) {
  const int lane = threadIdx.x % kWarpSize, first = slice * kMmaBytes / 4;
  // FILL ME IN: b_by_hand (roughly 3 lines)
  // END: b_by_hand
}

// --ldmatrix and on: the same registers, four at once. tile.piece(r, p) is the address of piece p of a row,
// 16 bytes. A slice has two pieces.
template <class Tile>
__device__ inline void a_by_ldmatrix(unsigned (&a)[4], const Tile& tile, int row, int slice) {
  const int lane = threadIdx.x % kWarpSize, first = slice * kMmaBytes / kPieceBytes;  // pieces before it
  // FILL ME IN: ldmatrix_a (roughly 1 line)
  // END: ldmatrix_a
}

template <class Tile>
__device__ inline void b_by_ldmatrix(unsigned (&b)[4], const Tile& tile, int row, int slice) {
  const int lane = threadIdx.x % kWarpSize, first = slice * kMmaBytes / kPieceBytes;
  // FILL ME IN: ldmatrix_b (roughly 1 line)
  // END: ldmatrix_b
}

// How load_factors() below loads the registers of a and of b: word by word or four at once.
struct ByHand;
struct ByLdmatrix;
template <class How, class Tile>
__device__ inline void load_a(unsigned (&a)[4], const Tile& tile, int row, int slice) {
  if constexpr (std::is_same_v<How, ByHand>)
    a_by_hand(a, tile, row, slice);
  else
    a_by_ldmatrix(a, tile, row, slice);
}
template <class How, class Tile>
__device__ inline void load_b(unsigned (&b)[4], const Tile& tile, int row, int slice) {
  if constexpr (std::is_same_v<How, ByHand>)
    b_by_hand(b, tile, row, slice);
  else
    b_by_ldmatrix(b, tile, row, slice);
}

// --tf32: a lane's factors, before they are multiplied. Halfs and bfloat16 are what the tensor cores read.
template <class T>
__device__ inline void round_factors(unsigned (&factors)[4]) {
  if constexpr (std::is_same_v<T, float>) {
    // FILL ME IN: tf32 (roughly 1 line)
    // END: tf32
  }
}

// A warp's 64 x 64 sums: of[m][n] are this lane's four of rows from 16 m on and columns from 8 n on.
struct Sums {
  float of[kWarpRows / kMmaRows][kWarpColumns / kMmaColumns][4];
};

// What a lane holds of both factors for one slice: a[m] is of rows from 16 m on, b[n] of columns from 16 n
// on.
struct Factors {
  unsigned a[kWarpRows / kMmaRows][4];
  unsigned b[kWarpColumns / kMmaColumns / 2][4];
};

// Loads and rounds them: the warp's rows of the tiles begin at `row` of a and `column` of b. load_a<How>()
// and load_b<How>() load four registers, as above.
template <class T, class How, class Stage>
__device__ inline void load_factors(Factors& to, const Stage& stage, int row, int column, int slice) {
  // FILL ME IN: factors (roughly 10 lines)
  // END: factors
}

// Adds the products of one slice to the sums of a warp.
template <class T>
__device__ inline void multiply_factors(Sums& sums, const Factors& of) {
  // FILL ME IN: products (roughly 8 lines)
  // END: products
}

// Stores a warp's sums: its first is element (row, column) of c. store_two() stores what c has, two sums side
// by side.
template <class T>
__device__ inline void store_sums(const Product<T>& product, const Sums& sums, int row, int column) {
  const int lane = threadIdx.x % kWarpSize;
  // FILL ME IN: result (roughly 7 lines)
  // END: result
}

// --mma and --ldmatrix: a step is copied, waited for, multiplied. Given, but for what it calls.
template <class How>
__global__ void __launch_bounds__(kThreads) one_stage_kernel(Product<half> product) {
  extern __shared__ __align__(128) uint4 memory[];
  auto& stage = *reinterpret_cast<Stage<Padded>*>(memory);
  const int warp = threadIdx.x / kWarpSize;
  const int warp_row = warp / kWarpsAcross * kWarpRows, warp_column = warp % kWarpsAcross * kWarpColumns;
  Sums sums = {};
  for (int step = 0; step < product.steps(); ++step) {
    fetch(stage, product, step);
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll
    for (int slice = 0; slice < kSlices; ++slice) {
      Factors factors;
      load_factors<half, How>(factors, stage, warp_row, warp_column, slice);
      multiply_factors<half>(sums, factors);
    }
    __syncthreads();
  }
  store_sums(product, sums, product.first_row() + warp_row, product.first_column() + warp_column);
}

// --pipelined and on: rows without padding, of 32 words each.
struct Swizzled {
  static constexpr int kPitch = kPieces;
  // Where piece `piece` of row `row` lies in its row: each row uses each of its kPieces places once.
  __device__ static int place(int row, int piece) {
    int place = piece;
    // FILL ME IN: swizzle (roughly 1 line)
    // END: swizzle
    return place;
  }
};

// --pipelined, --bf16 and --tf32. kStages is as many as fit into the shared memory of a block, kMostStages at
// most, 2 at least.
template <class T, int kStages>
__global__ void __launch_bounds__(kThreads) ring_kernel(Product<T> product) {
  extern __shared__ __align__(128) uint4 memory[];
  auto* stages = reinterpret_cast<Stage<Swizzled>*>(memory);  // kStages of them
  const int warp = threadIdx.x / kWarpSize;
  const int warp_row = warp / kWarpsAcross * kWarpRows, warp_column = warp % kWarpsAcross * kWarpColumns;
  Sums sums = {};
  // begin(step): this thread's copies for that step begin, into stage step % kStages. They are one group;
  // past the last step it is empty, so that the number of groups still tells how old they are.
  const auto begin = [&](int step) { fetch(stages[step % kStages], product, step); };
  // load(to, step, slice): the registers of one slice of a step, from its stage. Past the last step those of
  // the last once more, for nobody: without a branch the compiler mixes loads and products.
  const auto load = [&](Factors& to, int step, int slice) {
    const int stage = min(step, product.steps() - 1) % kStages;
    load_factors<T, ByLdmatrix>(to, stages[stage], warp_row, warp_column, slice);
  };
  Factors factors[2];  // one slice is multiplied while the next is loaded
  // FILL ME IN: ring (roughly 16 lines)
  // END: ring
  store_sums(product, sums, product.first_row() + warp_row, product.first_column() + warp_column);
}
