// Puzzle 16: the side of a tile. Kernels, launches and the budgets of puzzle.cpp share it.
#pragma once

// 16 x 16 = 256 threads, one an element of a tile.
constexpr int kTile = 16;
