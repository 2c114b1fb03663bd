// Puzzle 44, attention with QK-Norm: out = softmax(qn kn^T / sqrt(features)) v, where qn = q * gq / rms(q)
// and kn = k * gk / rms(k), row by row; rms is the root of the mean of the squares plus kEpsilon.
//   --unfused       norm_rows_kernel for q and k, then scores, softmax and values of given.cuh: 5 launches
//   --norms-inside  scaled_scores_kernel, then softmax and values: 3 launches
//   --flash         flash_kernel: 1 launch, no score leaves its block
//   --split         split_kernel, then combine_kernel: kParts blocks share the keys of a query
//   --tensor        tensor_kernel, then combine_kernel: both products on tensor cores
// All tensors are row-major and hold half: q and out [heads, queries, features], k and v [heads, keys,
// features], gq and gk [features]. Everything is computed in float: to_float and to_half go between the two.
// From given.cuh: inverse_rms(sum of squares, features), warp_sum, warp_max, tile_row_sum. scale is 1 /
// sqrt(features). kWarpSize, kWarps, kTile, kOwn, kParts and more: sizes.h.
//
// For --tensor CUDA has the header mma.h, whose functions all 32 lanes of a warp call together:
//   wmma::fill_fragment(sums, value)                    all elements become `value`
//   wmma::load_matrix_sync(tile, address, pitch)        loads 16 x 16 elements whose rows lie `pitch` apart
//   wmma::load_matrix_sync(sums, address, pitch, wmma::mem_row_major)     the same, for a SumTile
//   wmma::mma_sync(sums, a, b, sums)                    sums += a b, three tiles
//   wmma::store_matrix_sync(address, sums, pitch, wmma::mem_row_major)    stores 16 x 16 elements likewise
//   sums.x[i], with i below sums.num_elements           what this lane has of a SumTile
// Its types (LeftTile, RightTile, TurnedTile, SumTile) stand in tensor.cuh.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "given.cuh"
#include "tensor.cuh"

// --unfused, the first two of its launches: x is q or k, [rows, features]. A warp owns a row.
__global__ void norm_rows_kernel(half* normalized, const half* x, const half* g, int rows, int features) {
  const int lane = threadIdx.x % kWarpSize;
  const int row = blockIdx.x * kWarps + threadIdx.x / kWarpSize;
  if (row >= rows) return;  // a whole warp: nobody is left who would wait for it
  // FILL ME IN: norm_rows (roughly 8 lines)
  // END: norm_rows
}

// --norms-inside: scores [heads, queries, keys] of the raw q and k. A block of kTile x kTile threads computes
// one tile of head blockIdx.z, as scores_kernel of given.cuh does.
__global__ void scaled_scores_kernel(half* scores, const half* q, const half* k, const half* gq,
                                     const half* gk, float scale, int queries, int keys, int features) {
  [[maybe_unused]] __shared__ float q_tile[kTile][kTile];  // q * gq * gk
  [[maybe_unused]] __shared__ float k_tile[kTile][kTile + 1];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int head = blockIdx.z, first_key = blockIdx.x * kTile;
  const int query = blockIdx.y * kTile + ty, key = first_key + tx;
  float product = 0.0f, q_squares = 0.0f, k_squares = 0.0f;  // of this thread's query and key
  for (int first = 0; first < features; first += kTile) {
    [[maybe_unused]] const int f = first + tx;
    // FILL ME IN: scaled_scores (roughly 14 lines)
    // END: scaled_scores
  }
  q_squares = tile_row_sum(q_squares);  // row ty of the tile was loaded by the threads of row ty
  if (query < queries && key < keys)
    scores[(head * queries + query) * keys + key] =
        to_half(scale * product * inverse_rms(q_squares, features) * inverse_rms(k_squares, features));
}

// What a warp knows of its kOwn queries when it has seen some of the keys.
struct Attended {
  static constexpr int kColumns = kMaxFeatures / kWarpSize;  // of a lane: lane, lane + 32
  float largest[kOwn];         // of the scores; -INFINITY where there was no key
  float total[kOwn];           // of exp(score - largest)
  float sums[kOwn][kColumns];  // of exp(score - largest) * v
};

// Attention of the block's queries to the keys from `begin` to below `end`. A block has kQueries queries of
// head blockIdx.y, a warp kOwn of them, and all warps share tiles of 32 keys and their values. All threads of
// the block must call it. features <= kMaxFeatures.
__device__ inline Attended attend(const half* q, const half* k, const half* v, const half* gq, const half* gk,
                                  float scale, int queries, int keys, int features, int begin, int end) {
  __shared__ float q_rows[kWarps][kOwn][kMaxFeatures];  // q * gq * gk
  // A lane reads a row of k_tile: rows of 65 floats put 32 lanes into 32 banks.
  [[maybe_unused]] __shared__ float k_tile[kWarpSize][kMaxFeatures + 1];
  __shared__ float v_tile[kWarpSize][kMaxFeatures];
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  const int head = blockIdx.y;
  [[maybe_unused]] float q_factor[kOwn];  // scale / rms of each own query
  for (int own = 0; own < kOwn; ++own) {
    // Past the last query: the last one again, which nobody stores.
    const int query = min((static_cast<int>(blockIdx.x) * kWarps + warp) * kOwn + own, queries - 1);
    [[maybe_unused]] const half* q_row = q + (head * queries + query) * features;
    float squares = 0.0f;
    // FILL ME IN: query_rows (roughly 5 lines)
    // END: query_rows
    q_factor[own] = scale * inverse_rms(warp_sum(squares), features);
  }

  Attended known = {};
  for (float& value : known.largest) value = -INFINITY;
  for (int first = begin; first < end; first += kWarpSize) {
    __syncthreads();  // all warps are done with the tiles before
    for (int row = warp; row < kWarpSize; row += kWarps) {
      const bool exists = first + row < end;
      for (int c = lane; c < kMaxFeatures; c += kWarpSize) {
        const int at = (head * keys + first + row) * features + c;
        k_tile[row][c] = exists && c < features ? to_float(k[at]) : 0.0f;
        v_tile[row][c] = exists && c < features ? to_float(v[at]) : 0.0f;
      }
    }
    __syncthreads();  // the tiles are complete

    float score[kOwn] = {};  // of each own query with key first + lane
    // FILL ME IN: tile_scores (roughly 9 lines)
    // END: tile_scores

    float weight[kOwn];  // exp(score - largest), of this lane's key
    for (int own = 0; own < kOwn; ++own) {
      // FILL ME IN: update (roughly 6 lines)
      // END: update
    }
    for (int key = 0; key < kWarpSize; ++key)
      for (int own = 0; own < kOwn; ++own) {
        const float of_key = __shfl_sync(kAllLanes, weight[own], key);  // lane `key` has the weight
        for (int j = 0; j < Attended::kColumns; ++j)
          known.sums[own][j] += of_key * v_tile[key][lane + j * kWarpSize];
      }
  }
  return known;
}

// --flash. Grid (ceil(queries / kQueries), heads), blocks of kBlockSize.
__global__ void flash_kernel(half* out, const half* q, const half* k, const half* v, const half* gq,
                             const half* gk, float scale, int queries, int keys, int features) {
  const Attended known = attend(q, k, v, gq, gk, scale, queries, keys, features, 0, keys);
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  for (int own = 0; own < kOwn; ++own) {
    const int query = (blockIdx.x * kWarps + warp) * kOwn + own;
    for (int j = 0; j < Attended::kColumns; ++j) {
      const int c = lane + j * kWarpSize;
      if (query < queries && c < features)
        out[(blockIdx.y * queries + query) * features + c] = to_half(known.sums[own][j] / known.total[own]);
    }
  }
}

// --split, the first of its launches: block z attends to part z of the keys, and divides nothing. A part has
// part_size keys, whole tiles; the last may have fewer, or none.
//   maxima and totals [kParts, heads, queries], sums [kParts, heads, queries, features], all float.
__global__ void split_kernel(float* maxima, float* totals, float* sums, const half* q, const half* k,
                             const half* v, const half* gq, const half* gk, float scale, int queries,
                             int keys, int features, int part_size) {
  const int begin = blockIdx.z * part_size;
  const int end = min(begin + part_size, keys);
  const Attended known = attend(q, k, v, gq, gk, scale, queries, keys, features, begin, end);
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  for (int own = 0; own < kOwn; ++own) {
    const int query = (blockIdx.x * kWarps + warp) * kOwn + own;
    if (query >= queries) break;
    [[maybe_unused]] const int row = (blockIdx.z * gridDim.y + blockIdx.y) * queries + query;
    // FILL ME IN: split_parts (roughly 8 lines)
    // END: split_parts
  }
}

// --split and --tensor, the second: a thread for each element of out, of `rows` = heads * queries rows.
__global__ void combine_kernel(half* out, const float* maxima, const float* totals, const float* sums,
                               int rows, int features) {
  const int at = blockIdx.x * kBlockSize + threadIdx.x;
  if (at >= rows * features) return;
  [[maybe_unused]] const int row = at / features;
  // FILL ME IN: combine (roughly 9 lines)
  // END: combine
}

// --tensor, the first: what split_kernel does, with both products on tensor cores. Blocks of kTensorThreads,
// with kTensorQueries queries of head blockIdx.y, kTile a warp, and part blockIdx.z of the keys. Everything
// else that it calls is in tensor.cuh. Dynamic shared memory: a TensorMemory. features <= kMaxFeatures.
__global__ void __launch_bounds__(kTensorThreads)
    tensor_kernel(float* maxima, float* totals, float* sums, const half* q, const half* k, const half* v,
                  const half* gq, const half* gk, float scale, int queries, int keys, int features,
                  int part_size) {
  extern __shared__ __align__(128) unsigned char memory[];
  TensorMemory& shared = *reinterpret_cast<TensorMemory*>(memory);
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  WarpRows& own = shared.warps[warp];
  const int row = lane / 2;  // of the softmax; the lane beside has the other half of its keys
  const int head = blockIdx.y, first_query = (blockIdx.x * kTensorWarps + warp) * kTile;
  const int begin = blockIdx.z * part_size, end = min(begin + part_size, keys);
  q += head * queries * features;
  k += head * keys * features;
  v += head * keys * features;
  copy_queries(own.halves, q, first_query, queries, features);
  for (int stage = 0; stage < kStages - 1; ++stage)
    copy_tile(shared.tiles[stage], k, v, begin + stage * kTensorKeys, end, features);

  __pipeline_wait_prior(kStages - 2);  // the queries have come, with the first tile
  normalize_queries(own.halves, gq, gk, scale, features);
  __syncwarp();  // the rows are complete
  LeftTile query[kFeatureTiles];
  for (int f = 0; f < kFeatureTiles; ++f) wmma::load_matrix_sync(query[f], &own.halves[0][f * kTile], kRow);

  SumTile summed[kFeatureTiles];  // kTile queries x all features, of exp(score - largest) * v
  for (SumTile& tile : summed) wmma::fill_fragment(tile, 0.0f);
  float largest = -INFINITY, total = 0.0f;  // of query `row`
  for (int first = begin, stage = 0; first < end; first += kTensorKeys, stage = (stage + 1) % kStages) {
    KeyTile& tile = shared.tiles[stage];
    __pipeline_wait_prior(kStages - 2);
    find_factors(tile, features);
    __syncthreads();  // the tile is there for all warps, and all are done with the one before
    copy_tile(shared.tiles[(stage + kStages - 1) % kStages], k, v, first + (kStages - 1) * kTensorKeys, end,
              features);

    // FILL ME IN: tensor_scores (roughly 10 lines)
    // END: tensor_scores
    __syncwarp();  // all scores of the warp are in its rows

    float score[kOwnKeys], k_factor[kOwnKeys], weight[kOwnKeys] = {};  // element i is of key own_key(i)
    load_own(score, own.scores[row]);
    load_own(k_factor, tile.k_factor);
    float keep = 1.0f;  // what the sums so far are multiplied by
    // FILL ME IN: tensor_weights (roughly 14 lines)
    // END: tensor_weights
    store_own(own.halves[row], weight);
    fill_row(own.scores[row], keep);  // of the scores nobody reads any more
    __syncwarp();                     // weights and factors of all rows are there

    // FILL ME IN: tensor_values (roughly 13 lines)
    // END: tensor_values
  }

  __syncwarp();  // nobody reads factors any more
  for (int f = 0; f < kFeatureTiles; ++f)
    wmma::store_matrix_sync(&own.scores[0][f * kTile], summed[f], kRow, wmma::mem_row_major);
  __syncwarp();
  const int first_row = (blockIdx.z * gridDim.y + head) * queries + first_query;
  const int rows = min(kTile, queries - first_query);  // that exist; none where it is below 1
  store_sums(sums + first_row * features, own.scores, rows, features);
  if (row < rows && lane % 2 == 0) {  // both lanes of a row have the same two numbers
    maxima[first_row + row] = largest;
    totals[first_row + row] = total;
  }
}
