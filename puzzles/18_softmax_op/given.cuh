// Puzzle 18: the size of its blocks, for kernels, launches and the budgets of puzzle.cpp.
#pragma once

// Of both variants. A power of two: the trees halve it until one is left.
constexpr int kThreads = 64;
