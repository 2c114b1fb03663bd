// Puzzle 15: the sizes of its blocks, for kernels, launches and the budgets of puzzle.cpp.
#pragma once

// Of --thread-per-row and --block-per-row. A power of two: the tree halves it until one is left.
constexpr int kThreads = 64;

// Of --columns: kAcross threads along x, a warp, and kDown along y, a power of two as well.
constexpr int kAcross = 32;
constexpr int kDown = 8;
