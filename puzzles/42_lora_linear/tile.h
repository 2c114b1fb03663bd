// Puzzle 42: the side of a tile, the sizes of --tensor. Kernels, launches and puzzle.cpp share them.
#pragma once

// 16 x 16 = 256 threads, one an element of a tile. --fused and --concat keep a row of x a in one tile: its
// side is the largest rank that they take.
constexpr int kTile = 16;

// --tensor. Side of a fragment: a warp multiplies 16 x 16 by 16 x 16 elements at once. A row of x a lies in
// one fragment: its side is the largest rank here too.
constexpr int kFragment = 16;
// A block has 16 rows of y, and of them so many columns: 64, of which a row is 128 bytes of w.
constexpr int kColumns = 64;
// Elements of h that a warp takes at a time, of x, w and a.
constexpr int kStep = 32;
// Steps of a warp that have a place in shared memory: one is multiplied, the other is on its way.
constexpr int kStages = 2;
// Warps of a block, where shared memory holds so many rings of stages.
constexpr int kMostWarps = 8;
static_assert(kTile == kFragment, "x a is as wide as a tile, and as a fragment");
static_assert(kColumns % kFragment == 0 && kStep % kFragment == 0, "columns and steps are whole fragments");
static_assert(kStages >= 2, "one stage to multiply, at least one on its way");
