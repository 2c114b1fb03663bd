// Puzzle 44: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kWarpSize = 32;    // lanes of a warp, and keys of a tile in attend()
constexpr int kTile = 16;        // --unfused, --norms-inside: the side of a tile of scores
constexpr int kBlockSize = 256;  // threads of every other block: 8 warps
constexpr int kWarps = kBlockSize / kWarpSize;
constexpr int kMaxFeatures = 64;  // --flash, --split: the longest row that a tile has room for
constexpr int kOwn = 2;           // --flash, --split: queries of a warp
constexpr int kParts = 16;        // --split: parts of the keys

// Queries of a block of --flash and --split.
constexpr int kQueries = kWarps * kOwn;

// Keys in a part: whole tiles. The last parts may have fewer, or none.
constexpr int part_size(int keys) {
  const int tiles = (keys + kWarpSize - 1) / kWarpSize;
  return (tiles + kParts - 1) / kParts * kWarpSize;
}
