// Puzzle 43: the side of a tile, the parts of --split, the sizes of --tensor. Kernels, launches and
// puzzle.cpp share them.
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

// --tensor. Side of a fragment: a warp multiplies 16 x 16 by 16 x 16 elements at once.
constexpr int kFragment = 16;
// A block has 16 rows of y, and of them so many columns.
constexpr int kColumns = 32;
// Elements of h that a warp takes at a time, of x, u and w.
constexpr int kStep = 32;
// Steps of a warp that have a place in shared memory: one is multiplied, the others are on their way.
constexpr int kStages = 4;
// Warps of a block, where shared memory holds so many rings of stages.
constexpr int kMostWarps = 8;
static_assert(kColumns % kFragment == 0 && kStep % kFragment == 0, "columns and steps are whole fragments");
static_assert(kStages >= 2, "one stage to multiply, at least one on its way");
