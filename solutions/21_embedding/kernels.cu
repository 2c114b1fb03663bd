// Puzzle 21, Embedding: row index[p] of a table becomes row p of the result. The index is a number that the
// kernel finds in memory, so only then does it know which address to read.
//   --2d         embedding_2d_kernel: kBlockX x kBlockY threads a block, positions along x, features along y
//   --coalesced  embedding_coalesced_kernel: neighbouring threads have neighbouring features
//   --vector     embedding_vector_kernel: the same, with four features a thread and one load for them
// index [positions] holds 64-bit integers, table is [vocabulary, features], out [positions, features], both
// row-major. Rows 0 to vocabulary - 1 exist. For every other index, such as the -1 that fills up short texts,
// the row of the result is zeros.
#include <cuda_runtime.h>

#include "sizes.h"

// Grid (ceil(positions / kBlockX), ceil(features / kBlockY)). Guards for both.
__global__ void embedding_2d_kernel(float* out, const long long* index, const float* table, int positions,
                                    int features, int vocabulary) {
  // FILL ME IN: two_dims (roughly 7 lines)
  const int position = blockIdx.x * kBlockX + threadIdx.x;
  const int feature = blockIdx.y * kBlockY + threadIdx.y;
  if (position >= positions || feature >= features) return;
  const long long row = index[position];
  // x runs fastest through a warp: its 32 lanes have one feature of 32 rows, a sector for every lane, in the
  // store as in the load.
  const bool exists = row >= 0 && row < vocabulary;
  out[position * features + feature] = exists ? table[row * features + feature] : 0.0f;
  // END: two_dims
}

// Grid: a thread for each element of the result, in blocks of kBlockSize.
__global__ void embedding_coalesced_kernel(float* out, const long long* index, const float* table,
                                           int positions, int features, int vocabulary) {
  // FILL ME IN: coalesced (roughly 7 lines)
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= positions * features) return;
  // The position changes once in `features` threads, so most warps read one index, all lanes the same, and
  // 32 neighbours of one row of the table: four full sectors, wherever in the table that row lies.
  const int position = i / features, feature = i % features;
  const long long row = index[position];
  const bool exists = row >= 0 && row < vocabulary;
  out[i] = exists ? table[row * features + feature] : 0.0f;
  // END: coalesced
}

// As above, four features a thread: `quads` = features / 4, and features is a multiple of 4.
__global__ void embedding_vector_kernel(float4* out, const long long* index, const float4* table,
                                        int positions, int quads, int vocabulary) {
  // FILL ME IN: vector (roughly 7 lines)
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= positions * quads) return;
  const int position = i / quads, quad = i % quads;
  const long long row = index[position];
  const bool exists = row >= 0 && row < vocabulary;
  // One load of 16 bytes in place of four of 4, and one index and one division for four elements.
  out[i] = exists ? table[row * quads + quad] : float4{0.0f, 0.0f, 0.0f, 0.0f};
  // END: vector
}
