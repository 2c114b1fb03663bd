// Puzzle 13, Convolution 1D: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kBlockSize = 128;  // threads of a block
constexpr int kMaxTaps = 256;    // the longest filter for which a block has room in shared memory
constexpr int kPerThread = 5;    // --sliding: neighbouring results of a thread; odd, and the chapter says why
