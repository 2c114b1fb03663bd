// Sizes of Puzzle 26, which kernels and declaration count with.
#pragma once

constexpr int kWarpSize = 32;
constexpr int kBlockSize = 256;
constexpr int kWarpsPerBlock = kBlockSize / kWarpSize;

constexpr int kKeys = 8;  // of the histogram: 0 to kKeys - 1
