// Puzzle 06: the sizes of its launches, for kernels, launches and the budgets of puzzle.cpp.
#pragma once

constexpr int kBlockSize = 64;  // as in Puzzle 01, to compare with
constexpr int kFewBlocks = 4;   // of --few, whatever the size
