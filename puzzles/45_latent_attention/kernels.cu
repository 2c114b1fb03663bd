// Puzzle 45, multi-head latent attention, one token: of each head a
//   score of key t   qn[a] . k[a,t] + qr[a] . kr[t]     with k[a,t] = the sum over c of ckv[t,c] wk[a,c]
//   y[a]             the sum over t of softmax(scores)[t] v[a,t]          v[a,t] = ... of ckv[t,c] wv[a,c]
//   --unfused   keys and values first, for every head: decompress_kernel twice, two launches for the scores,
//               softmax_kernel, and the sum of the values: 6 launches
//   --absorbed  wk goes to the query, wv behind the sum: neither keys nor values. 5 launches
//   --flash     absorb, one pass over the latent rows with a running maximum, project: 3 launches
//   --split     the same pass by many blocks, each a part of the keys; one launch more, which combines them
//   --tensor    parts of 32 keys on tensor cores, 16 heads at a time; then combine and project in one launch
// Tensors, row-major: qn [heads, nope], qr [heads, rope], ckv [keys, latent], kr [keys, rope], wk [heads,
// latent, nope], wv [heads, latent, values], y [heads, values], all half; k and v too. What is between them
// and small is float: qa, scores, weights, z. to_float, warp_sum, assign, kWarps and more: given.cuh,
// sizes.h.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

#include "given.cuh"

// A lane's share of the sum of q[i] * row[i] over `width` elements. warp_sum makes the sum of it.
template <class Query>
__device__ float lane_dot(const Query* q, const half* row, int width) {
  const int lane = threadIdx.x % kWarpSize;
  float sum = 0.0f;
  // FILL ME IN: lane_dot (roughly 2 lines)
  // END: lane_dot
  return sum;
}

// out [heads, count]: a warp for each element, the dot product of row a of q [heads, width] with row i of
// that head. Head a's rows begin at rows + a * head_stride; where all heads share them, head_stride is 0.
// With `add` the product is added to what is there.
__global__ void dots_kernel(float* out, const half* q, const half* rows, int count, int width,
                            int head_stride, bool add) {
  const int lane = threadIdx.x % kWarpSize;
  const int i = blockIdx.x * kWarps + threadIdx.x / kWarpSize, head = blockIdx.y;
  if (i >= count) return;
  // FILL ME IN: dots (roughly 5 lines)
  // END: dots
}

// out [heads, width]: the sum over i of weights[a, i] times row i of head a, weights [heads, count], rows as
// above. A lane for each column; the kRowWarps warps of the block share the rows.
template <class Out>
__global__ void weigh_kernel(Out* out, const float* weights, const half* rows, int count, int width,
                             int head_stride) {
  __shared__ float sums[kRowWarps][kWarpSize];
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  const int column = blockIdx.x * kWarpSize + lane, head = blockIdx.y;
  float sum = 0.0f;
  // FILL ME IN: weigh (roughly 3 lines)
  // END: weigh
  sums[warp][lane] = sum;
  __syncthreads();
  if (warp > 0 || column >= width) return;
  float total = 0.0f;
  for (int other = 0; other < kRowWarps; ++other) total += sums[other][lane];
  assign(out[head * width + column], total);
}

// The launches of the two kernels, a block for 8 rows or 32 columns of a head.
inline void dots(float* out, const half* q, const half* rows, int heads, int count, int width,
                 int head_stride, bool add, cudaStream_t stream) {
  const dim3 grid((count + kWarps - 1) / kWarps, heads);
  dots_kernel<<<grid, kThreads, 0, stream>>>(out, q, rows, count, width, head_stride, add);
}
template <class Out>
void weigh(Out* out, const float* weights, const half* rows, int heads, int count, int width, int head_stride,
           cudaStream_t stream) {
  const dim3 grid((width + kWarpSize - 1) / kWarpSize, heads);
  weigh_kernel<<<grid, kRowWarps * kWarpSize, 0, stream>>>(out, weights, rows, count, width, head_stride);
}

// The query as the latent rows see it: qa [heads, latent] = for each head wk[a] [latent, nope] times qn[a].
inline void absorb(float* qa, const half* qn, const half* wk, int heads, int latent, int nope,
                   cudaStream_t stream) {
  // FILL ME IN: absorb (roughly 1 line)
  // END: absorb
}

// y [heads, values] = for each head z[a] [latent] times wv[a] [latent, values].
inline void project(half* y, const float* z, const half* wv, int heads, int latent, int values,
                    cudaStream_t stream) {
  // FILL ME IN: project (roughly 1 line)
  // END: project
}

// --absorbed: scores [heads, keys] = qa[a] . ckv[t] + qr[a] . kr[t]. A warp for each.
__global__ void latent_scores_kernel(float* scores, const float* qa, const half* qr, const half* ckv,
                                     const half* kr, int keys, int latent, int rope) {
  const int lane = threadIdx.x % kWarpSize;
  const int key = blockIdx.x * kWarps + threadIdx.x / kWarpSize, head = blockIdx.y;
  if (key >= keys) return;
  // FILL ME IN: latent_scores (roughly 3 lines)
  // END: latent_scores
}

// What a warp knows of its head after some keys. Each lane has the sums of its own columns of the latent:
// lane, lane + 32, ...
struct Walk {
  float largest = -INFINITY;    // score so far
  float total = 0.0f;           // of exp(score - largest)
  float sums[kOwnLatent] = {};  // of exp(score - largest) * element
};

// One more key, with its score and this lane's elements of its latent row.
__device__ inline void take(Walk& walk, float score, const float* elements) {
  // FILL ME IN: take (roughly 6 lines)
  // END: take
}

// The keys from `begin` to below `end`, for head blockIdx.x * kWarps + warp. The warps of a block have a head
// each and share the tile. All threads of the block must call it, those of warps without a head too.
__device__ inline Walk walk_keys(const float* qa, const half* qr, const half* ckv, const half* kr, int heads,
                                 int latent, int rope, int begin, int end) {
  __shared__ half tile[kKeys][kRow];
  const int lane = threadIdx.x % kWarpSize;
  float q[kOwn];  // one head's query, this lane's columns
  load_query(q, qa, qr, latent, rope, blockIdx.x * kWarps + threadIdx.x / kWarpSize, heads);
  Walk walk;
  for (int first = begin; first < end; first += kKeys) {
    __syncthreads();  // all warps are done with the tile before
    load_tile(tile, ckv, kr, latent, rope, first, end);
    __syncthreads();  // the tile is complete
    // FILL ME IN: walk_keys (roughly 8 lines)
    // END: walk_keys
  }
  return walk;
}

// --flash: z [heads, latent] = of each head the latent rows, weighed by softmax.
__global__ void flash_kernel(float* z, const float* qa, const half* qr, const half* ckv, const half* kr,
                             int heads, int keys, int latent, int rope) {
  const int lane = threadIdx.x % kWarpSize, head = blockIdx.x * kWarps + threadIdx.x / kWarpSize;
  const Walk walk = walk_keys(qa, qr, ckv, kr, heads, latent, rope, 0, keys);
  // FILL ME IN: flash_result (roughly 4 lines)
  // END: flash_result
}

// --split: block y walks over part y of the keys, of kPart keys each; the last may have fewer. It divides
// nothing. largest and totals [parts, heads], sums [parts, heads, latent].
__global__ void split_kernel(float* largest, float* totals, float* sums, const float* qa, const half* qr,
                             const half* ckv, const half* kr, int heads, int keys, int latent, int rope) {
  const int lane = threadIdx.x % kWarpSize, head = blockIdx.x * kWarps + threadIdx.x / kWarpSize;
  const int part = blockIdx.y;
  // FILL ME IN: split_part (roughly 12 lines)
  // END: split_part
}

// --split: z of all parts. A thread for each element, blocks of kThreads along a row, blockIdx.y the head.
__global__ void combine_kernel(float* z, const float* largest, const float* totals, const float* sums,
                               int parts, int heads, int latent) {
  const int c = blockIdx.x * kThreads + threadIdx.x, head = blockIdx.y;
  if (c >= latent) return;
  // FILL ME IN: combine (roughly 9 lines)
  // END: combine
}

// --tensor: part blockIdx.y of the keys, kTensorKeys of them, for the 16 heads from blockIdx.x * 16 on. A
// fragment is a tile of 16 x 16 that a warp holds together, and all its lanes call these (mma.h):
//   wmma::load_matrix_sync(fragment, address, pitch)    loads 16 x 16 elements whose rows lie `pitch` apart
//   wmma::mma_sync(sum, a, b, sum)                      sum += a b, three fragments
namespace wmma = nvcuda::wmma;
using Sum = wmma::fragment<wmma::accumulator, kSide, kSide, kSide, float>;
using Heads = wmma::fragment<wmma::matrix_a, kSide, kSide, kSide, half, wmma::row_major>;
using Keys = wmma::fragment<wmma::matrix_b, kSide, kSide, kSide, half, wmma::col_major>;
using Values = wmma::fragment<wmma::matrix_b, kSide, kSide, kSide, half, wmma::row_major>;

// largest and totals [heads, parts], sums [parts, heads, latent]; heads and latent are rounded up to whole
// tiles, so that nobody needs a guard: there is room for heads that do not exist.
__global__ void __launch_bounds__(kThreads)
    tensor_kernel(float* largest, float* totals, float* sums, const float* qa, const half* qr,
                  const half* ckv, const half* kr, int heads, int keys, int latent, int rope) {
  extern __shared__ __align__(128) unsigned char memory[];
  Tile& tile = *reinterpret_cast<Tile*>(memory);
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  const int part = blockIdx.y, parts = gridDim.y, first = part * kTensorKeys;
  const int first_head = blockIdx.x * kSide, all_heads = gridDim.x * kSide;
  const int wide = (latent + kSide - 1) / kSide * kSide;
  copy_rows(tile, ckv, kr, latent, rope, first, keys);  // under way, while the query is rounded to half
  copy_query(tile, qa, qr, latent, rope, first_head, heads);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();

  // Two tiles of scores, 16 heads x 16 keys. Four warps share the sum along the rows of each.
  const int key_tile = warp % kKeyTiles * kSide, share = warp / kKeyTiles;
  Sum score;
  wmma::fill_fragment(score, 0.0f);
  // FILL ME IN: tensor_scores (roughly 8 lines)
  // END: tensor_scores
  __syncthreads();  // nobody reads the query any more: its room is for the scores
  wmma::store_matrix_sync(&tile.of.scores[share][0][key_tile], score, kTensorKeys + kPad,
                          wmma::mem_row_major);
  __syncthreads();

  for (int row = warp; row < kSide; row += kWarps) {  // a head of the 16; each lane has a key
    // FILL ME IN: tensor_weights (roughly 11 lines)
    // END: tensor_weights
  }
  __syncthreads();

  for (int c = warp * kSide; c < wide; c += kWarps * kSide) {  // 16 columns of the latent
    Sum sum;
    wmma::fill_fragment(sum, 0.0f);
    // FILL ME IN: tensor_values (roughly 7 lines)
    // END: tensor_values
    wmma::store_matrix_sync(sums + (part * all_heads + first_head) * wide + c, sum, wide,
                            wmma::mem_row_major);
  }
}
