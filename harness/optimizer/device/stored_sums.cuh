// A warp's sums to shared memory.
#pragma once

// A warp's sums of 16 rows to a tile, each lane two neighbours at once.
template <int kParts>
__device__ inline void store_sums(float* tile, const float (&sums)[kParts][4], int stride) {
  float* const own = tile + threadIdx.x % 32 / 4 * stride + threadIdx.x % 4 * 2;
#pragma unroll
  for (int part = 0; part < kParts; ++part) {
    *reinterpret_cast<float2*>(own + 8 * part) = {sums[part][0], sums[part][1]};
    *reinterpret_cast<float2*>(own + 8 * stride + 8 * part) = {sums[part][2], sums[part][3]};
  }
}
