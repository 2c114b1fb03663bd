// Puzzle 19, Attention op: out = softmax(q k^T / sqrt(features)) v. For each query: how well does each key
// suit it, which weights does that make, and what is the weighted mean of the values?
//   --vector   attention_vector_kernel: one query, by one block, the weights in shared memory
//   --unfused  attention_unfused: three operators in a row, with two matrices of [queries, keys] between them
//   --fused    attention_fused_kernel: all queries, in one kernel, without any such matrix
// All matrices are row-major: q [queries, features], k [keys, features], v [keys, values], out [queries,
// values]. The key and the value of the same number belong together. All sizes are at least 1.
#include <cuda_runtime.h>

#include "given.cuh"

// One query q [features], out [values]. One block of kThreads threads; keys <= kMaxKeys.
__global__ void attention_vector_kernel(float* out, const float* q, const float* k, const float* v, int keys,
                                        int features, int values) {
  __shared__ float weights[kMaxKeys];  // first the scores, then what softmax makes of them
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  const float scale = 1.0f / sqrtf(features);

  // weights[key] = scale * (q . row `key` of k)
  // FILL ME IN: vector_scores (roughly 6 lines)
  // END: vector_scores

  // weights[key] = exp(score - the largest score), and their sum
  float largest = -INFINITY, total = 0.0f;
  // FILL ME IN: vector_weights (roughly 7 lines)
  // END: vector_weights

  // out[c] = sum over the keys of weights[key] * column c of v, divided by the total
  // FILL ME IN: vector_mean (roughly 5 lines)
  // END: vector_mean
}

// scores [queries, keys] = scale * q k^T: a product in tiles, and no transpose. Both matrices are read along
// their rows. Grid (ceil(keys / kTile), ceil(queries / kTile)), blocks of kTile x kTile threads.
__global__ void scores_kernel(float* scores, const float* q, const float* k, float scale, int queries,
                              int keys, int features) {
  [[maybe_unused]] __shared__ float q_tile[kTile][kTile];
  // k_tile is read down its columns: rows of 16 would meet in two banks.
  [[maybe_unused]] __shared__ float k_tile[kTile][kTile + 1];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int query = blockIdx.y * kTile + ty, key = blockIdx.x * kTile + tx;
  const int first_key = blockIdx.x * kTile;  // the tile of k has the keys from here on as its rows
  float sum = 0.0f;
  for (int first = 0; first < features; first += kTile) {
    const bool inside = first + tx < features;
    q_tile[ty][tx] = inside && query < queries ? q[query * features + first + tx] : 0.0f;
    // FILL ME IN: scores (roughly 4 lines)
    // END: scores
  }
  if (query < queries && key < keys) scores[static_cast<size_t>(query) * keys + key] = scale * sum;
}

inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

// Host code: launches scores_kernel, softmax_kernel and matmul_tiled_kernel on `stream`. `scores` and
// `weights` are memory for what travels between them, [queries, keys] each.
void attention_unfused(float* out, float* scores, float* weights, const float* q, const float* k,
                       const float* v, int queries, int keys, int features, int values, cudaStream_t stream) {
  const dim3 block(kTile, kTile);
  // FILL ME IN: unfused (roughly 6 lines)
  // END: unfused
}

// A warp has kOwn queries, and the block's warps share tiles of 32 keys and their values. Grid: a block for
// every kOwn * kThreads / kWarpSize = 16 queries. features and values <= kMaxFeatures.
__global__ void attention_fused_kernel(float* out, const float* q, const float* k, const float* v,
                                       int queries, int keys, int features, int values) {
  constexpr int kWarps = kThreads / kWarpSize, kColumns = kMaxFeatures / kWarpSize;
  [[maybe_unused]] __shared__ float q_rows[kWarps][kOwn][kMaxFeatures];
  // A lane reads a row of k_tile: rows of 65 floats put 32 lanes into 32 banks.
  [[maybe_unused]] __shared__ float k_tile[kWarpSize][kMaxFeatures + 1];
  __shared__ float v_tile[kWarpSize][kMaxFeatures];
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  const int first_query = (blockIdx.x * kWarps + warp) * kOwn;
  const float scale = 1.0f / sqrtf(features);
  for (int own = 0; own < kOwn; ++own)
    for (int i = lane; i < features; i += kWarpSize)
      q_rows[warp][own][i] =
          first_query + own < queries ? scale * q[(first_query + own) * features + i] : 0.0f;

  float largest[kOwn], total[kOwn] = {};  // of the scores so far; of exp(score - largest) so far
  float sums[kOwn][kColumns] = {};        // of exp(score - largest) * value so far: columns lane, lane + 32
  for (float& value : largest) value = -INFINITY;
  for (int first = 0; first < keys; first += kWarpSize) {
    __syncthreads();  // all warps are done with the tiles before
    for (int row = warp; row < kWarpSize; row += kWarps) {
      const bool exists = first + row < keys;
      for (int i = lane; i < features; i += kWarpSize)
        k_tile[row][i] = exists ? k[(first + row) * features + i] : 0.0f;
      for (int c = lane; c < kMaxFeatures; c += kWarpSize)
        v_tile[row][c] = exists && c < values ? v[(first + row) * values + c] : 0.0f;
    }
    __syncthreads();  // the tiles are complete

    float score[kOwn] = {};  // of each own query with key first + lane; the scale is in q_rows already
    // FILL ME IN: fused_score (roughly 5 lines)
    // END: fused_score

    float weight[kOwn];  // exp(score - largest), of this lane's key
    for (int own = 0; own < kOwn; ++own) {
      // FILL ME IN: fused_update (roughly 6 lines)
      // END: fused_update
    }
    for (int key = 0; key < kWarpSize; ++key)
      for (int j = 0; j < kColumns; ++j) {
        const float value = v_tile[key][lane + j * kWarpSize];
        for (int own = 0; own < kOwn; ++own)  // lane `key` has the weight
          sums[own][j] += __shfl_sync(kAllLanes, weight[own], key) * value;
      }
  }
  for (int own = 0; own < kOwn; ++own)
    for (int j = 0; j < kColumns; ++j) {
      const int c = lane + j * kWarpSize;
      if (first_query + own < queries && c < values)
        out[(first_query + own) * values + c] = sums[own][j] / total[own];
    }
}
