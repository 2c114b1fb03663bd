// Puzzle 07: the size of its blocks, for kernels, launches and the budgets of puzzle.cpp.
#pragma once

constexpr int kThreads = 256;  // of a block, whatever its shape
