// Puzzle 27, what the learner is handed: which bin a value belongs to.
#pragma once

#include <cuda_runtime.h>

#include "sizes.h"

__host__ __device__ inline int bin_of(float value) { return static_cast<int>(value * kBins); }
