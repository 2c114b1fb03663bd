// Puzzle 35, what the learner is handed: the addition for one, two and four floats, and the particles.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sizes.h"

__device__ inline float plus_ten(float v) { return v + 10.0f; }
__device__ inline float2 plus_ten(float2 v) { return {v.x + 10.0f, v.y + 10.0f}; }
__device__ inline float4 plus_ten(float4 v) { return {v.x + 10.0f, v.y + 10.0f, v.z + 10.0f, v.w + 10.0f}; }

// How many floats a Vector (float, float2 or float4) has.
template <class Vector>
constexpr int kFloats = sizeof(Vector) / sizeof(float);

// Floats from `pointer` to the next multiple of 16 bytes: 0 to 3.
__device__ inline int floats_to_boundary(const float* pointer) {
  constexpr int kOfVector = kVectorBytes / sizeof(float);
  return (kOfVector - reinterpret_cast<std::uintptr_t>(pointer) / sizeof(float) % kOfVector) % kOfVector;
}

struct Particle {
  float x, y, z;     // where it is
  float vx, vy, vz;  // how fast it is
  float mass;
  float age;
};
static_assert(sizeof(Particle) == kFields * sizeof(float));

constexpr int kAge = 7;  // which of the eight arrays has the ages, where each field is an array of its own
