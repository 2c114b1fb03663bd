// Puzzle 43, gated MLP: y = silu(x u) * (x w), element by element, with silu(a) = a / (1 + exp(-a)).
//   --unfused      product_kernel twice, silu_kernel, multiply_kernel: four launches, three tensors between
//   --epilogue     product_kernel, then epilogue_kernel: activation and product end the second product
//   --fused        fused_kernel: one launch, one loop over h, x loaded once, two sums
//   --interleaved  interleaved_kernel: one product with a matrix that holds u and w column by column
//   --split        split_kernel, then combine_kernel: four blocks share the sums over h of one tile
//   --tensor       tensor_kernel: one launch, the products by tensor cores, the steps of h shared among warps
// All tensors are row-major and hold half: x [rows, hidden], u and w [hidden, outputs], y [rows, outputs].
// Everything is computed in float: to_float and to_half (given.cuh) go between the two. x u is called the
// gate, x w is what it lets through. kTile, kParts, tile_product and product_kernel: given.cuh and tile.h.
//
// For --tensor CUDA has the header mma.h, whose functions all 32 lanes of a warp call together:
//   wmma::load_matrix_sync(fragment, address, pitch)    loads 16 x 16 elements whose rows lie `pitch` apart
//   wmma::mma_sync(sum, a, b, sum)                      sum += a b, three fragments
//   wmma::store_matrix_sync(address, sum, pitch, wmma::mem_row_major)    stores 16 x 16 elements likewise
// Its types (XFragment, MatrixFragment, SumFragment), the ring of stages and fetch() stand in given.cuh.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "given.cuh"

// a / (1 + exp(-a)), for any a. All variants call it.
__device__ inline float silu(float a) {
  float result = 0.0f;
  // FILL ME IN: silu (roughly 1 line)
  // END: silu
  return result;
}

// --unfused, the third of its launches: a thread an element, blocks of kBlockSize.
__global__ void silu_kernel(half* activated, const half* gate, int size) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  // FILL ME IN: activate (roughly 1 line)
  // END: activate
}

// --unfused, the fourth.
__global__ void multiply_kernel(half* y, const half* activated, const half* up, int size) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  // FILL ME IN: multiply (roughly 1 line)
  // END: multiply
}

// --epilogue, the second of its launches: gate = x u is there already, as half. A block of kTile x kTile
// threads computes one tile of y.
__global__ void epilogue_kernel(half* y, const half* gate, const half* x, const half* w, int rows, int hidden,
                                int outputs) {
  const float up = tile_product(x, w, rows, hidden, outputs);  // this thread's element of x w
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  // FILL ME IN: epilogue (roughly 4 lines)
  // END: epilogue
}

// The two sums that an output needs: of x * u, and of x * w.
struct Sums {
  float gate, up;
};

// Both sums over h from `begin` to below `end`, for this thread's row and column, in one loop. All threads of
// the block must call it, those without an element of y too.
__device__ inline Sums tile_sums(const half* x, const half* u, const half* w, int rows, int hidden,
                                 int outputs, int begin, int end) {
  __shared__ float x_tile[kTile][kTile];
  __shared__ float u_tile[kTile][kTile];
  __shared__ float w_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  Sums sums = {0.0f, 0.0f};
  // FILL ME IN: two_sums (roughly 15 lines)
  // END: two_sums
  return sums;
}

// --fused: a block of kTile x kTile threads computes one tile of y.
__global__ void fused_kernel(half* y, const half* x, const half* u, const half* w, int rows, int hidden,
                             int outputs) {
  const Sums sums = tile_sums(x, u, w, rows, hidden, outputs, 0, hidden);
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  // FILL ME IN: fused_result (roughly 2 lines)
  // END: fused_result
}

// --interleaved: uw [hidden, 2 * outputs] has column o of u as its column 2 o, and that of w as 2 o + 1.
// Twice as many threads as y has elements, each with one sum.
__global__ void interleaved_kernel(half* y, const half* x, const half* uw, int rows, int hidden,
                                   int outputs) {
  const float sum = tile_product(x, uw, rows, hidden, 2 * outputs);
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;  // of uw
  // FILL ME IN: interleaved_result (roughly 3 lines)
  // END: interleaved_result
}

// --split, the first of its launches: block z adds up part z of h. A part has part_size elements, whole
// tiles; the last may have fewer, or none.
//   gates, ups [kParts, rows, outputs], both float.
__global__ void split_kernel(float* gates, float* ups, const half* x, const half* u, const half* w, int rows,
                             int hidden, int outputs, int part_size) {
  const int part = blockIdx.z;
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  // FILL ME IN: split_parts (roughly 8 lines)
  // END: split_parts
}

// --split, the second: a thread for each element of y, blocks of kBlockSize along a row, blockIdx.y the row.
__global__ void combine_kernel(half* y, const float* gates, const float* ups, int rows, int outputs) {
  const int row = blockIdx.y;
  const int column = blockIdx.x * kBlockSize + threadIdx.x;
  if (column >= outputs) return;
  // FILL ME IN: combine (roughly 7 lines)
  // END: combine
}

// --tensor: adds the products of one step to both sums. All lanes of a warp call it.
//   stage.x [16][kStep]; stage.uw [kStep][2 * kColumns], in each row the columns of u, then those of w.
//   gates[n], ups[n]: 16 rows x 16 columns of a sum, from column 16 n of the block on.
__device__ inline void multiply_step(SumFragment (&gates)[kFragments], SumFragment (&ups)[kFragments],
                                     const Stage& stage) {
  // FILL ME IN: fragments (roughly 11 lines)
  // END: fragments
}

// --tensor: a block computes 16 rows x kColumns columns of y. Its warps share the steps along h: warp v takes
// steps v, v + warps, v + 2 warps ..., and each has a ring of stages of its own. So a warp never waits for
// another, until the sums of all are added up.
__global__ void tensor_kernel(half* y, const half* x, const half* u, const half* w, int rows, int hidden,
                              int outputs) {
  extern __shared__ __align__(128) Ring rings[];  // one a warp
  const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int first_row = blockIdx.y * kFragment, first_column = blockIdx.x * kColumns;
  const int steps = (hidden + kStep - 1) / kStep;
  SumFragment gates[kFragments], ups[kFragments];
  for (int n = 0; n < kFragments; ++n) {
    wmma::fill_fragment(gates[n], 0.0f);
    wmma::fill_fragment(ups[n], 0.0f);
  }
  // begin(step, stage): this lane's copies for that step begin, into that stage of the ring of its warp. They
  // are one group; past the last step it is empty, so that the number of groups still tells how old they are.
  const auto begin = [&](int step, int stage) {
    fetch(rings[warp].stages[stage], x, u, w, rows, hidden, outputs, first_row, first_column, step);
  };
  // FILL ME IN: ring (roughly 10 lines)
  // END: ring
  // FILL ME IN: tensor_result (roughly 15 lines)
  // END: tensor_result
}
