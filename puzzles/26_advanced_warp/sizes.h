// Sizes of Puzzle 26, which kernels and declaration count with.
#pragma once

constexpr int kWarpSize = 32;
constexpr int kBlockSize = 256;
constexpr int kWarpsPerBlock = kBlockSize / kWarpSize;

constexpr int kAhead = 4;  // elements of a row that a lane loads before it looks at the first of them

constexpr int kKeys = 8;  // that there are: 0 to kKeys - 1
