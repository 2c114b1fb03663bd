// Puzzle 12, what the learner is handed: the size of a block, which kernels, launches and budget share.
#pragma once

// A power of two, so that halving it again and again ends at 1: 128, 64, 32, 16, 8, 4, 2, 1.
constexpr int kBlockSize = 256;
