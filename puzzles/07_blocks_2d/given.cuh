// Puzzle 07, what the learner is handed: matrices of floats by row and column, and two shapes of a block.
#pragma once

#include <cuda_runtime.h>

#include <cuda/std/mdspan>

#include "sizes.h"

using Matrix = cuda::std::mdspan<float, cuda::std::dextents<int, 2>>;
using ConstMatrix = cuda::std::mdspan<const float, cuda::std::dextents<int, 2>>;

const dim3 kWide(kThreads, 1);  // x counts columns: all its threads in one row
const dim3 kTall(1, kThreads);  // all its threads in one column
