// Puzzle 40, what the learner is handed: the model's sizes and weights as kernels see them, the matrix-vector
// product that all variants share, rotation and attention. unfused.cuh has a kernel for each operation.
//
// One token is decoded at a time, so each activation is one row of floats. Weights are half: they are all
// that a token has to fetch. Products are added up in float.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int kWarpSize = 32;
constexpr int kThreads = 256;      // a block of the kernels that work on elements
constexpr int kHeadThreads = 512;  // a block of those that work on a head
constexpr int kHeadWarps = kHeadThreads / kWarpSize;
constexpr int kMostWarps = 32;
constexpr float kEpsilon = 1e-5f;
constexpr float kRotaryBase = 10000.0f;

// The kernels that multiply by a matrix: a block has kRows outputs at a time and all threads for each of
// them. A thread holds kEach elements of the row that is multiplied, in registers.
constexpr int kLoad = 8;  // halves in 16 bytes, the widest load there is
constexpr int kEach = 2 * kLoad;
constexpr int kRows = 4;  // numbers of outputs are multiples of this

__host__ __device__ constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

struct Size {
  int layers = 0, hidden = 0, heads = 0, vocabulary = 0;
  int context = 0;  // tokens that the cache has room for
  __host__ __device__ int head() const { return hidden / heads; }
  __host__ __device__ int rotary() const { return head() / 4; }  // elements of a head that are rotated
  __host__ __device__ int inner() const { return 4 * hidden; }   // width of the MLP
};

// A matrix [outputs, inputs] and its bias [outputs]; a norm's gamma and beta [hidden].
struct Linear {
  const half *weight, *bias;
};
struct Norm {
  const half *gamma, *beta;
};

struct Layer {
  Norm attention_norm, mlp_norm;
  Linear qkv;            // 3 hidden outputs: head after head its query, its key, its value
  Linear dense;          // from attention back to the residual stream
  Linear up;             // 4 hidden outputs, then GELU
  Linear down;           // from the MLP back to the residual stream
  float *keys, *values;  // this layer's cache [context, hidden]
};

// Where a token is: in device memory, so that a launch need not know it.
struct State {
  int token;     // the token that is decoded now
  int position;  // its place in the sequence
  int chosen;    // the likeliest next token
};

// What lies between the kernels, each a row of floats, and the state.
struct Buffers {
  float* x;         // [hidden] the residual stream
  float* norm;      // [hidden] --unfused only, as `attended` and `product`
  float* qkv;       // [3 hidden]
  float* context;   // [hidden] what attention found, head after head
  float* inner;     // [4 hidden]
  float* attended;  // [hidden]
  float* product;   // [hidden]
  float* logits;    // [vocabulary]
  State* state;
};

// The sum over the warp's lanes, in every lane (Puzzle 24).
__device__ inline float warp_sum(float value) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// The sum over a block, in every thread. All threads have to come.
__device__ inline float block_sum(float value) {
  __shared__ float parts[kMostWarps];
  value = warp_sum(value);
  if (threadIdx.x % kWarpSize == 0) parts[threadIdx.x / kWarpSize] = value;
  __syncthreads();
  float sum = 0.0f;
  for (int warp = 0; warp < ceil_div(blockDim.x, kWarpSize); ++warp) sum += parts[warp];
  __syncthreads();  // the next call may overwrite
  return sum;
}

// GELU with the normal distribution's own function, not its tanh form (Puzzle 36).
__device__ inline float gelu(float x) { return 0.5f * x * (1.0f + erff(x * 0.70710678118654752f)); }

// ---- A matrix times a row ----

// Threads of a block that multiplies rows of `hidden` elements; for 2560 these are 160.
inline int row_threads(int hidden) { return ceil_div(hidden, kEach * kWarpSize) * kWarpSize; }

// Which element of the row is the j-th of this thread: eight neighbours here, eight neighbours half a block
// further, so that the threads of a warp load 512 bytes of weights that lie side by side.
__device__ inline int element(int j) { return (j / kLoad * blockDim.x + threadIdx.x) * kLoad + j % kLoad; }

__device__ inline void unpack(float* out, const uint4& eight) {
  const half2* pairs = reinterpret_cast<const half2*>(&eight);
  for (int i = 0; i < kLoad / 2; ++i) {
    const float2 two = __half22float2(pairs[i]);
    out[2 * i] = two.x, out[2 * i + 1] = two.y;
  }
}

// This thread's elements of a row of `size`; 0 where the row is over. `from` begins at 16 bytes.
__device__ inline void load_slice(float (&slice)[kEach], const float* from, int size) {
#pragma unroll
  for (int j = 0; j < kEach; j += 4) {
    const float4 four = element(j) < size ? *reinterpret_cast<const float4*>(from + element(j)) : float4{};
    slice[j] = four.x, slice[j + 1] = four.y, slice[j + 2] = four.z, slice[j + 3] = four.w;
  }
}
// The same of a row of halves, which stay packed until one is asked for: half the registers.
struct Halves {
  uint4 eight[kEach / kLoad];
  __device__ float operator[](int j) const {
    return __half2float(reinterpret_cast<const half*>(&eight[j / kLoad])[j % kLoad]);
  }
};
__device__ inline Halves load_halves(const half* from, int size) {
  Halves halves;
#pragma unroll
  for (int part = 0; part < kEach / kLoad; ++part) {
    const int at = element(part * kLoad);
    halves.eight[part] = at < size ? *reinterpret_cast<const uint4*>(from + at) : uint4{};
  }
  return halves;
}

// This thread's weights of kRows rows, packed as they come: eight loads of 16 bytes, all under way at once.
struct Weights {
  uint4 eight[kEach / kLoad][kRows];
};
__device__ inline Weights fetch(const half* matrix, size_t columns, int size) {
  Weights weights;
#pragma unroll
  for (int part = 0; part < kEach / kLoad; ++part)
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int at = element(part * kLoad);
      // Read once: keep no copy (evict first).
      weights.eight[part][r] =
          at < size ? __ldcs(reinterpret_cast<const uint4*>(matrix + r * columns + at)) : uint4{};
    }
  return weights;
}

// Adds this thread's products to the sum of each row.
__device__ inline void multiply(float (&sums)[kRows], const Weights& weights, const float (&slice)[kEach]) {
#pragma unroll
  for (int part = 0; part < kEach / kLoad; ++part)
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      float unpacked[kLoad];
      unpack(unpacked, weights.eight[part][r]);
#pragma unroll
      for (int i = 0; i < kLoad; ++i) sums[r] += unpacked[i] * slice[part * kLoad + i];
    }
}

// The same for rows of any length, a slice after the other.
__device__ inline void add_products(float (&sums)[kRows], const half* matrix, const float* x, int size) {
  const int step = blockDim.x * kEach;
  Weights weights = fetch(matrix, size, size);
  for (int begin = 0;;) {
    float slice[kEach];
    load_slice(slice, x + begin, size - begin);
    multiply(sums, weights, slice);
    begin += step;
    if (begin >= size) return;
    weights = fetch(matrix + begin, size, size - begin);  // all eight, before the next slice needs the first
  }
}

// The sums over the block: thread r has that of row r, for r below kRows. All threads have to come.
__device__ inline float sum_rows(const float (&sums)[kRows]) {
  __shared__ float parts[kMostWarps][kRows];
  for (int r = 0; r < kRows; ++r) {
    const float sum = warp_sum(sums[r]);
    if (threadIdx.x % kWarpSize == 0) parts[threadIdx.x / kWarpSize][r] = sum;
  }
  __syncthreads();
  float sum = 0.0f;
  if (threadIdx.x < kRows)
    for (int warp = 0; warp < static_cast<int>(blockDim.x) / kWarpSize; ++warp)
      sum += parts[warp][threadIdx.x];
  __syncthreads();  // the next call may overwrite
  return sum;
}

// ---- Rotation and attention, as device functions ----

// Element `i` of a query or key of one head after rotation. The first rotary() elements are turned in pairs:
// i of the first half of them together with i + rotary() / 2. The rest of the head stays as it is.
__device__ inline float rotated(const float* head, int i, int position, const Size& size) {
  const int half_of_them = size.rotary() / 2;
  if (i >= size.rotary()) return head[i];
  const int pair = i % half_of_them;
  const float angle = position * powf(kRotaryBase, -static_cast<float>(pair) / half_of_them);
  float sine, cosine;
  sincosf(angle, &sine, &cosine);
  return i < half_of_them ? head[i] * cosine - head[i + half_of_them] * sine
                          : head[i] * cosine + head[i - half_of_them] * sine;
}

// What a query finds in the cache up to `position`: softmax(q k / sqrt(head)) v (Puzzle 19). For one head, by
// a block whose threads all come, and which sees `query`. Shared memory: `scores`, a float for each token of
// the context, and `parts`, kHeadWarps rows of head() floats. A warp has a token at a time, a lane four
// elements of it: heads have at most 128. Eight tokens are loaded at once, for it is the wait for memory that
// takes time here.
__device__ inline void attend(float* out, const float* query, const float* keys, const float* values,
                              float* scores, float* parts, int position, const Size& size) {
  constexpr int kAtOnce = 8;
  const int warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize, head = size.head();
  const size_t column = static_cast<size_t>(blockIdx.x) * head + 4 * lane;
  const bool mine = 4 * lane < head;
  const float4 q = mine ? *reinterpret_cast<const float4*>(query + 4 * lane) : float4{};
  const float scale = rsqrtf(static_cast<float>(head));
  for (int first = warp; first <= position; first += kAtOnce * kHeadWarps) {
    float4 k[kAtOnce];
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) {
      const int t = first + j * kHeadWarps;
      k[j] = mine && t <= position
                 ? *reinterpret_cast<const float4*>(keys + static_cast<size_t>(t) * size.hidden + column)
                 : float4{};
    }
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) {
      const int t = first + j * kHeadWarps;
      if (t > position) break;
      const float score = warp_sum(q.x * k[j].x + q.y * k[j].y + q.z * k[j].z + q.w * k[j].w);
      if (lane == 0) scores[t] = score * scale;
    }
  }
  __syncthreads();  // all scores are there
  // Each warp finds maximum and sum for itself: cheaper than to wait for one that does it for all.
  float largest = scores[0], sum = 0.0f;
  for (int t = lane; t <= position; t += kWarpSize) largest = fmaxf(largest, scores[t]);
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
  for (int t = lane; t <= position; t += kWarpSize) sum += expf(scores[t] - largest);
  sum = warp_sum(sum);
  float4 mixed{};
  for (int first = warp; first <= position; first += kAtOnce * kHeadWarps) {
    float4 v[kAtOnce];
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) {
      const int t = first + j * kHeadWarps;
      v[j] = mine && t <= position
                 ? *reinterpret_cast<const float4*>(values + static_cast<size_t>(t) * size.hidden + column)
                 : float4{};
    }
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) {
      const int t = first + j * kHeadWarps;
      if (t > position) break;
      const float share = expf(scores[t] - largest) / sum;
      mixed.x += share * v[j].x, mixed.y += share * v[j].y, mixed.z += share * v[j].z,
          mixed.w += share * v[j].w;
    }
  }
  if (mine) *reinterpret_cast<float4*>(parts + warp * head + 4 * lane) = mixed;
  __syncthreads();  // every warp's tokens are mixed
  for (int i = threadIdx.x; i < head; i += kHeadThreads) {
    float whole = 0.0f;
    for (int w = 0; w < kHeadWarps; ++w) whole += parts[w * head + i];
    out[blockIdx.x * head + i] = whole;
  }
}

// Shared memory that a block of attention takes, in bytes: query, parts, scores.
inline int attention_bytes(const Size& size) {
  return static_cast<int>(sizeof(float)) * ((1 + kHeadWarps) * size.head() + size.context);
}
