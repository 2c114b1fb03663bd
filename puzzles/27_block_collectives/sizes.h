// Sizes of Puzzle 27, which kernels and declaration count with.
#pragma once

constexpr int kWarpSize = 32;
constexpr int kThreads = 256;  // of every block

// Values lie between 0 and 1, and bin b has those from b / kBins to below (b + 1) / kBins.
constexpr int kBins = 8;

// The counts: a block has a tile of kTile values, kItems a thread. The groups: a block has kThreads values.
constexpr int kItems = 8;
constexpr int kTile = kItems * kThreads;
