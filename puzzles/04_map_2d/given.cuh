// Puzzle 04, Map 2D: matrices as mdspan, for --mdspan. A pointer and two sizes that travel together; m(row,
// col) is the element, m.extent(0) the number of rows, m.extent(1) the number of columns.
#pragma once

#include <cuda/std/mdspan>

#include "given.h"

using Matrix = cuda::std::mdspan<float, cuda::std::dextents<int, 2>>;
using ConstMatrix = cuda::std::mdspan<const float, cuda::std::dextents<int, 2>>;
