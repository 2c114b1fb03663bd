// Puzzle 41: the sizes of tiles, parts and stages. Kernels, launches and puzzle.cpp share them.
#pragma once

// 16 x 16 = 256 threads, one an element of a tile.
constexpr int kTile = 16;
// Parts that --split makes of the sum over h.
constexpr int kParts = 4;

// Elements of h in a part: whole tiles. The last part may have fewer, or none.
constexpr int part_size(int hidden) {
  const int tiles = (hidden + kTile - 1) / kTile;
  return (tiles + kParts - 1) / kParts * kTile;
}

// --tensor. A fragment has the side of a tile: 16 x 16 x 16 is what mma_sync multiplies.
constexpr int kAcross = 4;               // fragments side by side: the columns of y that a block owns,
constexpr int kWidth = kAcross * kTile;  // 64, so that a row of its tile of w is 128 bytes
constexpr int kStep = 64;                // h in a step: 128 bytes of a row of x
constexpr int kStages = 2;               // that a warp has room for: it works on one, the other is on its way
constexpr int kMostWarps = 8;            // a block has as many of these as its shared memory has room for
constexpr int kPad = 8;  // elements behind each row in shared memory: the next begins in other banks
static_assert(kStep % kTile == 0, "a step is whole fragments");
static_assert(kStages >= 2, "one stage to work on, and at least one to fetch into");
