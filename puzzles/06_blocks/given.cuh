// Puzzle 06, what the learner is handed: the size of a block, and how many blocks --few has.
#pragma once

#include <cuda_runtime.h>

constexpr int kBlockSize = 64;  // as in Puzzle 01, to compare with
constexpr int kFewBlocks = 4;   // whatever the size
