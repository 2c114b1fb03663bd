// Puzzle 23, what the learner is handed: what is computed of an element, and a function as an object.
#pragma once

#include <cuda_runtime.h>

#include "sizes.h"

// What all variants compute of an element, as an ordinary function.
__device__ inline float element(float x, float y) {
  return kGain * fminf(fmaxf(kSlope * x + y, kLow), kHigh);
}

// A function object: Scale{2.0f} is a function that doubles. It keeps its number in itself, and both go to
// the device where it is an argument of a kernel.
struct Scale {
  float factor;
  __host__ __device__ float operator()(float value) const { return factor * value; }
};
