// Puzzle 45, what the learner is handed: sums over a warp and a block (Puzzle 24), softmax of rows (Puzzle
// 18), the tiled product (Puzzle 16) for each head, how a tile of --flash is loaded, and of --tensor the
// copies and the last launch.
#pragma once

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include "sizes.h"

constexpr unsigned kAllLanes = 0xffffffffu;

// What is large is half in memory. Everything is computed in float.
__device__ inline float to_float(half value) { return __half2float(value); }
__device__ inline float to_float(float value) { return value; }
__device__ inline void assign(half& element, float value) { element = __float2half(value); }
__device__ inline void assign(float& element, float value) { element = value; }

// Every lane gets the sum of the warp's 32 values.
__device__ inline float warp_sum(float value) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync(kAllLanes, value, offset);
  return value;
}

// Every lane gets the largest of them.
__device__ inline float warp_max(float value) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, offset));
  return value;
}

// Every thread gets the sum over the block's kThreads values, or the largest of them. All threads must call.
__device__ inline float block_sum(float value) {
  __shared__ float of_warp[kWarps];
  value = warp_sum(value);
  if (threadIdx.x % kWarpSize == 0) of_warp[threadIdx.x / kWarpSize] = value;
  __syncthreads();
  value = 0.0f;
  for (const float other : of_warp) value += other;
  return value;
}
__device__ inline float block_max(float value) {
  __shared__ float of_warp[kWarps];
  value = warp_max(value);
  if (threadIdx.x % kWarpSize == 0) of_warp[threadIdx.x / kWarpSize] = value;
  __syncthreads();
  for (const float other : of_warp) value = fmaxf(value, other);
  return value;
}

// weights [rows, columns]: of each row of scores exp(x - largest) / sum of them. A block a row.
__global__ void softmax_kernel(float* weights, const float* scores, int columns) {
  const float* row = scores + blockIdx.x * columns;
  float largest = -INFINITY, sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += kThreads) largest = fmaxf(largest, row[i]);
  largest = block_max(largest);
  for (int i = threadIdx.x; i < columns; i += kThreads) sum += expf(row[i] - largest);
  sum = block_sum(sum);
  for (int i = threadIdx.x; i < columns; i += kThreads)
    weights[blockIdx.x * columns + i] = expf(row[i] - largest) / sum;
}

// --unfused: out [heads, keys, width], head by head ckv [keys, latent] w [latent, width] with that head's w,
// in tiles. blockIdx.z is the head.
__global__ void decompress_kernel(half* out, const half* ckv, const half* w, int keys, int latent,
                                  int width) {
  __shared__ float c_tile[kTile][kTile];
  __shared__ float w_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x, head = blockIdx.z;
  const int key = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int first = 0; first < latent; first += kTile) {
    const int c = first + tx, w_c = first + ty;
    c_tile[ty][tx] = key < keys && c < latent ? to_float(ckv[key * latent + c]) : 0.0f;
    w_tile[ty][tx] =
        w_c < latent && column < width ? to_float(w[(head * latent + w_c) * width + column]) : 0.0f;
    __syncthreads();  // both tiles are complete
    for (int i = 0; i < kTile; ++i) sum += c_tile[ty][i] * w_tile[i][tx];
    __syncthreads();  // nobody reads them any more
  }
  if (key < keys && column < width) assign(out[(head * keys + key) * width + column], sum);
}

// --flash: rows `first` and on of ckv and kr, side by side: element c of ckv in column c, element r of kr in
// column kMaxLatent + r, and zeros in all other places, also in rows from `end` on.
__device__ inline void load_tile(half tile[kKeys][kRow], const half* ckv, const half* kr, int latent,
                                 int rope, int first, int end) {
  const int lane = threadIdx.x % kWarpSize;
  for (int row = threadIdx.x / kWarpSize; row < kKeys; row += kWarps) {
    const int key = first + row;
    for (int j = 0; j < kOwn; ++j) {
      const int c = lane + j * kWarpSize, r = c - kMaxLatent;
      half element = __float2half(0.0f);
      if (key < end && c < latent) element = ckv[key * latent + c];
      if (key < end && r >= 0 && r < rope) element = kr[key * rope + r];
      tile[row][c] = element;
    }
  }
}

// A lane's elements of the query of one head, in the columns of a tile: lane, lane + 32, ... Zeros elsewhere.
__device__ inline void load_query(float q[kOwn], const float* qa, const half* qr, int latent, int rope,
                                  int head, int heads) {
  for (int j = 0; j < kOwn; ++j) {
    const int c = threadIdx.x % kWarpSize + j * kWarpSize, r = c - kMaxLatent;
    q[j] = 0.0f;
    if (head < heads && c < latent) q[j] = qa[head * latent + c];
    if (head < heads && r >= 0 && r < rope) q[j] = to_float(qr[head * rope + r]);
  }
}

// --tensor: what a block has in shared memory. Scores and weights take the room of the query when all warps
// are done with it; so it is 55 KB, which every GPU with tensor cores has.
struct Tile {
  half rows[kTensorKeys][kRow + kPad];  // as in --flash: latent elements, zeros, then rotary elements
  union {
    half query[kSide][kRow + kPad];  // of 16 heads, in the same columns
    struct {
      float scores[kShares][kSide][kTensorKeys + kPad];  // to be added up over the shares
      half weights[kSide][kTensorKeys + kPad];
    } of;
  };
};

// Eight elements of a row of `width`, from `column` on: zeros behind its end and where there is no row.
// Asynchronous (Puzzle 16) where rows begin at multiples of 16 bytes; elsewhere the thread copies them
// itself.
__device__ inline void copy_eight(half* to, const half* matrix, int row, int rows, int column, int width) {
  if (width % 8 == 0) {
    const bool inside = row < rows && column < width;
    __pipeline_memcpy_async(to, inside ? matrix + row * width + column : matrix, 16, inside ? 0 : 16);
  } else {
    union {
      half of[8] = {};
      uint4 all;  // stored at once: no bank conflict
    } eight;
    for (int i = 0; i < 8; ++i)
      if (row < rows && column + i < width) eight.of[i] = matrix[row * width + column + i];
    *reinterpret_cast<uint4*>(to) = eight.all;
  }
}

// Begins the copies of rows `first` and on of ckv and kr. A warp takes a row at a time: 512 elements in two
// turns, then the rotary ones.
__device__ inline void copy_rows(Tile& tile, const half* ckv, const half* kr, int latent, int rope, int first,
                                 int keys) {
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
#pragma unroll
  for (int j = 0; j < kTensorKeys / kWarps; ++j) {
    const int row = warp + j * kWarps;
    for (int column = lane * 8; column < kMaxLatent; column += 8 * kWarpSize)
      copy_eight(&tile.rows[row][column], ckv, first + row, keys, column, latent);
    if (lane < kMaxRope / 8)
      copy_eight(&tile.rows[row][kMaxLatent + lane * 8], kr, first + row, keys, lane * 8, rope);
  }
}

// Four elements of a row of `width`, from `column` on, zeros behind its end.
__device__ inline float4 load_four(const float* row, int column, int width) {
  if (width % 4 == 0 && column < width) return *reinterpret_cast<const float4*>(row + column);
  const auto element = [&](int i) { return i < width ? row[i] : 0.0f; };
  return make_float4(element(column), element(column + 1), element(column + 2), element(column + 3));
}

// The query of heads `first` and on: qa rounded to half, and qr. A head that does not exist is a row of
// zeros.
__device__ inline void copy_query(Tile& tile, const float* qa, const half* qr, int latent, int rope,
                                  int first, int heads) {
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  constexpr int kTurns = kMaxLatent / (4 * kWarpSize);
#pragma unroll
  for (int j = 0; j < kSide / kWarps; ++j) {
    const int row = warp + j * kWarps, head = first + row;
    if (lane < kMaxRope / 8)
      copy_eight(&tile.query[row][kMaxLatent + lane * 8], qr, head, heads, lane * 8, rope);
    float4 four[kTurns];  // all under way before the first is needed
    for (int i = 0; i < kTurns; ++i)
      four[i] = load_four(qa + head * latent, (lane + i * kWarpSize) * 4, head < heads ? latent : 0);
    for (int i = 0; i < kTurns; ++i) {
      union {
        half2 of[2] = {};
        uint2 all;
      } halves;
      halves.of[0] = __floats2half2_rn(four[i].x, four[i].y);
      halves.of[1] = __floats2half2_rn(four[i].z, four[i].w);
      *reinterpret_cast<uint2*>(&tile.query[row][(lane + i * kWarpSize) * 4]) = halves.all;
    }
  }
}

// --tensor: combine and project in one launch, for kOutColumns columns of y of head blockIdx.y. wv travels
// while the parts are combined. largest and totals [heads, parts], sums [parts, heads, latent], where heads
// and latent are rounded up to multiples of 16: `all_heads`, `wide`.
__global__ void __launch_bounds__(kOutThreads, 1)
    combine_project_kernel(half* y, const float* largest, const float* totals, const float* sums,
                           const half* wv, int parts, int all_heads, int latent, int wide, int values) {
  __shared__ __align__(16) half matrix[kMaxLatent][kOutColumns];
  __shared__ __align__(16) float shares[kOutShares][kMaxLatent];
  __shared__ float keeps[kOutThreads], z[kMaxLatent], of_warp[kOutThreads / kWarpSize][kWarpSize];
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize, head = blockIdx.y;
  const int first_column = blockIdx.x * kOutColumns;
  for (int i = threadIdx.x; i < latent * (kOutColumns / 8); i += kOutThreads) {
    const int row = i / (kOutColumns / 8), column = i % (kOutColumns / 8) * 8;
    copy_eight(&matrix[row][column], wv + head * latent * values, row, latent, first_column + column, values);
  }
  __pipeline_commit();
  // The largest of all parts, and the sum of their totals on it: every warp for itself.
  largest += head * parts;
  totals += head * parts;
  float of_all = -INFINITY, total = 0.0f;
  for (int part = lane; part < parts; part += kWarpSize) of_all = fmaxf(of_all, largest[part]);
  of_all = warp_max(of_all);
  for (int part = lane; part < parts; part += kWarpSize) total += totals[part] * expf(largest[part] - of_all);
  total = warp_sum(total);
  // A thread has 4 columns of the latent and every kOutShares-th part: eight at a time, so that eight loads
  // are under way.
  const int column = threadIdx.x % (kMaxLatent / 4) * 4, share = threadIdx.x / (kMaxLatent / 4);
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int first = 0; first < parts; first += kOutThreads) {
    const int own = first + threadIdx.x, end = min(kOutThreads, parts - first);
    __syncthreads();  // all are done with the factors before
    keeps[threadIdx.x] = own < parts ? expf(largest[own] - of_all) : 0.0f;
    __syncthreads();
    for (int part = share; part < end && column < wide; part += 8 * kOutShares) {
      float4 four[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const int other = first + min(part + i * kOutShares, end - 1);
        four[i] = *reinterpret_cast<const float4*>(sums + (other * all_heads + head) * wide + column);
      }
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const float keep = part + i * kOutShares < end ? keeps[part + i * kOutShares] : 0.0f;
        sum.x += keep * four[i].x;
        sum.y += keep * four[i].y;
        sum.z += keep * four[i].z;
        sum.w += keep * four[i].w;
      }
    }
  }
  *reinterpret_cast<float4*>(&shares[share][column]) = sum;
  __syncthreads();
  for (int c = threadIdx.x; c < latent; c += kOutThreads) {
    float of_column = 0.0f;
    for (int other = 0; other < kOutShares; ++other) of_column += shares[other][c];
    z[c] = of_column / total;
  }
  __pipeline_wait_prior(0);
  __syncthreads();  // z and the matrix are complete
  float product = 0.0f;
  for (int c = warp; c < latent; c += kOutThreads / kWarpSize) product += z[c] * to_float(matrix[c][lane]);
  of_warp[warp][lane] = product;
  __syncthreads();
  if (warp > 0 || first_column + lane >= values) return;
  product = 0.0f;
  for (int other = 0; other < kOutThreads / kWarpSize; ++other) product += of_warp[other][lane];
  assign(y[head * values + first_column + lane], product);
}
