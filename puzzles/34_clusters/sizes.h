// Puzzle 34: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kWarpSize = 32;
constexpr int kBlock = 512;  // threads of a block

// Blocks of a cluster, which share a row: as many as every GPU with clusters takes.
constexpr int kCluster = 8;
// The most values of a row that a block holds: 64 KiB, so that three blocks have room on a multiprocessor.
constexpr int kMostOfSlice = 16384;

constexpr int kBits = 16;  // of the values that the selection is made from
