// Puzzle 37, Softmax again: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kWarpSize = 32;
constexpr int kBlockSize = 256;  // threads of a block, and a row each
