// Puzzle 44: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kWarpSize = 32;    // lanes of a warp, and keys of a tile in attend()
constexpr int kTile = 16;        // --unfused, --norms-inside: the side of a tile of scores
constexpr int kBlockSize = 256;  // threads of every other block: 8 warps
constexpr int kWarps = kBlockSize / kWarpSize;
constexpr int kMaxFeatures = 64;  // --flash, --split, --tensor: the longest row that a tile has room for
constexpr int kOwn = 2;           // --flash, --split: queries of a warp
constexpr int kParts = 16;        // --split, --tensor: parts of the keys

// Queries of a block of --flash and --split.
constexpr int kQueries = kWarps * kOwn;

// Keys in a part: whole tiles. The last parts may have fewer, or none.
constexpr int part_size(int keys) {
  const int tiles = (keys + kWarpSize - 1) / kWarpSize;
  return (tiles + kParts - 1) / kParts * kWarpSize;
}

// --tensor. A fragment is kTile x kTile; a warp owns kTile queries.
constexpr int kTensorWarps = 4;  // warps of a block: they share the tiles of keys
constexpr int kTensorKeys = 32;  // keys of a tile
constexpr int kStages = 2;       // tiles that there is room for: all but one are on their way
constexpr int kTensorThreads = kTensorWarps * kWarpSize;
constexpr int kTensorQueries = kTensorWarps * kTile;  // queries of a block

// From row to row of everything that fragments are loaded from. The 8 beyond the elements put eight rows of
// halfs, 16 bytes of each, into 32 banks; and four rows of floats, 32 bytes of each.
constexpr int kRow = kMaxFeatures + 8;
static_assert(kTensorKeys % kTile == 0 && kTensorKeys <= kMaxFeatures, "rows of scores have kRow elements");
static_assert(kMaxFeatures % kTile == 0 && kStages >= 2);
