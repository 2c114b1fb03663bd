// Puzzle 32, what the learner is handed: a tree with bank conflicts, to compare with, and what the layer
// is made of.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "sizes.h"

// --interleaved: adds up kSlots values of a warp in slot 0. In the round with distance d the slots 2dk and
// 2dk + d are added: the lanes of a warp are 2d words apart.
__device__ inline void interleaved_sum(float* slots, int lane) {
  for (int distance = 1; distance < kSlots; distance *= 2) {
    for (int k = lane; 2 * distance * k < kSlots; k += kWarpSize)
      slots[2 * distance * k] += slots[2 * distance * k + distance];
    __syncwarp();  // what is read in the next round was stored by another lane
  }
}

// The sum of the products of two vectors of floats.
__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

// How many vectors a row of x or w is: 16 float2 or 8 float4.
template <class Vector>
constexpr int kVectors = kFeatures * sizeof(float) / sizeof(Vector);
