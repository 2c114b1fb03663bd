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
  // END: two_dims
}

// Grid: a thread for each element of the result, in blocks of kBlockSize.
__global__ void embedding_coalesced_kernel(float* out, const long long* index, const float* table,
                                           int positions, int features, int vocabulary) {
  // FILL ME IN: coalesced (roughly 7 lines)
  // END: coalesced
}

// As above, four features a thread: `quads` = features / 4, and features is a multiple of 4.
__global__ void embedding_vector_kernel(float4* out, const long long* index, const float4* table,
                                        int positions, int quads, int vocabulary) {
  // FILL ME IN: vector (roughly 7 lines)
  // END: vector
}
