// Puzzle 43: the side of a tile and the parts of --split. Kernels, launches and puzzle.cpp share them.
#pragma once

// 16 x 16 = 256 threads, one an element of a tile.
constexpr int kTile = 16;
// Parts that --split makes of the sums over h.
constexpr int kParts = 4;

// Elements of h in a part: whole tiles. The last part may have fewer, or none.
constexpr int part_size(int hidden) {
  const int tiles = (hidden + kTile - 1) / kTile;
  return (tiles + kParts - 1) / kParts * kTile;
}
