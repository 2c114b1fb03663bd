// Puzzle 39, what the learner is handed: sizes, types, sums over a block (Puzzle 24), and the add kernel of
// --unfused.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "sizes.h"

// Inside the square root: it keeps a row of equal values (variance 0) from dividing by 0.
constexpr float kEpsilon = 1e-5f;

// --welford keeps a row in the registers of kBlockSize threads, kRowItems elements each.
// --vector keeps up to kMaxHidden elements in those of a block.
// The declaration refuses longer rows.
static_assert(kRowItems * kBlockSize == 4096, "what the declaration says to whoever has longer rows");
constexpr int kMaxWarps = 32;  // a block has 1024 threads at most
constexpr unsigned kAllLanes = 0xffffffffu;

// Tensors hold float, half or __nv_bfloat16; what is computed is float, whatever they hold.
__device__ inline float to_float(float value) { return value; }
__device__ inline float to_float(half value) { return __half2float(value); }
__device__ inline float to_float(__nv_bfloat16 value) { return __bfloat162float(value); }

// Rounds to the type of `to`, once.
__device__ inline void store_float(float& to, float value) { to = value; }
__device__ inline void store_float(half& to, float value) { to = __float2half(value); }
__device__ inline void store_float(__nv_bfloat16& to, float value) { to = __float2bfloat16(value); }

// N neighbours: `bits` is how they travel, in one instruction, `at` what they are. 16 bytes, 4 floats or 8
// halfs, are the most that there is.
template <int kBytes>
struct Bits;
template <>
struct Bits<16> {
  using Type = uint4;
};
template <>
struct Bits<8> {
  using Type = uint2;
};
template <>
struct Bits<4> {
  using Type = unsigned int;
};
template <>
struct Bits<2> {
  using Type = unsigned short;
};
template <class T, int N>
struct Vector {
  union {
    typename Bits<N * sizeof(T)>::Type bits;
    T at[N];
  };
};

// Vector number i of an array. The array has to begin at a multiple of the vector's size.
template <int N, class T>
__device__ inline Vector<T, N> load_vector(const T* array, int i) {
  Vector<T, N> vector;
  vector.bits = reinterpret_cast<const decltype(vector.bits)*>(array)[i];
  return vector;
}
template <int N, class T>
__device__ inline void store_vector(T* array, int i, const Vector<T, N>& vector) {
  reinterpret_cast<decltype(vector.bits)*>(array)[i] = vector.bits;
}

// The sum of `value` over the 32 lanes of a warp, in every lane (Puzzle 24). All of them must call it.
__device__ inline float warp_sum(float value) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync(kAllLanes, value, offset);
  return value;
}

// The sum of `value` over all threads of the block, in every thread; a block of up to kMaxWarps whole warps.
// `sums` has a place a warp in shared memory. There is one barrier in here, and none at the end: a second
// call needs places of its own, since slower warps may still read these.
__device__ inline float block_sum(float value, float* sums) {
  const int lane = threadIdx.x % kWarpSize;
  const float own = warp_sum(value);
  if (lane == 0) sums[threadIdx.x / kWarpSize] = own;
  __syncthreads();  // the sums of the other warps are there
  const int warps = blockDim.x / kWarpSize;
  return warp_sum(lane < warps ? sums[lane] : 0.0f);
}

struct Sums {
  float values, squares;
};

// Two warp_sums side by side: while one waits for a shuffle, the other goes on.
__device__ inline Sums warp_sums(Sums own) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2) {
    own.values += __shfl_xor_sync(kAllLanes, own.values, offset);
    own.squares += __shfl_xor_sync(kAllLanes, own.squares, offset);
  }
  return own;
}

// block_sum for both at once, with one barrier. To be called once.
__device__ inline Sums block_sums(Sums own) {
  __shared__ Sums sums[kMaxWarps];
  const int lane = threadIdx.x % kWarpSize;
  const int warps = blockDim.x / kWarpSize;
  own = warp_sums(own);
  if (lane == 0) sums[threadIdx.x / kWarpSize] = own;
  __syncthreads();
  return warp_sums(lane < warps ? sums[lane] : Sums{0.0f, 0.0f});
}

// --unfused, the second of its launches: out = a + b, one thread an element.
__global__ void add_kernel(float* out, const float* a, const float* b, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + b[i];
}
