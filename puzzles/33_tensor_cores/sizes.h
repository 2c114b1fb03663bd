// Sizes of Puzzle 33, which kernels, launches and declaration count with.
#pragma once

// --tiled: the side of a tile; a thread has one element of c.
constexpr int kTile = 16;

constexpr int kWarpSize = 32;
// All the others: a block has kBlockRows x kBlockColumns elements of c, a warp kWarpRows x kWarpColumns.
constexpr int kBlockRows = 128, kBlockColumns = 256;
constexpr int kWarpRows = 64, kWarpColumns = 64;
constexpr int kWarpsAcross = kBlockColumns / kWarpColumns;
constexpr int kThreads = kBlockRows / kWarpRows * kWarpsAcross * kWarpSize;

// One instruction multiplies kMmaRows rows of a by kMmaColumns rows of b, kMmaBytes of each row.
constexpr int kMmaRows = 16, kMmaColumns = 8, kMmaBytes = 32;

// A step takes kStepBytes of each row: so many pieces, words, and slices, each for one instruction.
constexpr int kStepBytes = 128;
constexpr int kPieceBytes = 16;
constexpr int kPieces = kStepBytes / kPieceBytes, kSlices = kStepBytes / kMmaBytes;
// Elements of a row that a step takes.
template <class T>
constexpr int kStep = kStepBytes / static_cast<int>(sizeof(T));

// --pipelined and on: the most steps that have a place in shared memory. One is multiplied, the others are on
// their way.
constexpr int kMostStages = 3;
