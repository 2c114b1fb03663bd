// Puzzle 19, Attention op: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kThreads = 256;     // of a block, except where it is kTile x kTile
constexpr int kTile = 16;         // --unfused: the side of a tile
constexpr int kMaxKeys = 8192;    // --vector: as many weights as a block keeps in shared memory
constexpr int kWarpSize = 32;     // --fused: lanes of a warp, and keys of a tile
constexpr int kMaxFeatures = 64;  // --fused: the longest query, key or value that a tile has room for
constexpr int kOwn = 2;           // --fused: queries of a warp
