// Puzzle 42: the side of a tile. Kernels, launches and puzzle.cpp share it.
#pragma once

// 16 x 16 = 256 threads, one an element of a tile. --fused and --concat keep a row of x a in one tile: its
// side is the largest rank that they take.
constexpr int kTile = 16;
