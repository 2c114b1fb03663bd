// Sizes of Puzzle 32, which kernels and declaration count with.
#pragma once

constexpr int kBanks = 32;  // of shared memory, each 4 bytes wide
constexpr int kWarpSize = 32;

// The transposes: a block of kTile x kTileThreadRows threads has a tile of kTile x kTile halfs. A row of it
// is kBanks words long.
constexpr int kTile = 64;
constexpr int kTileThreadRows = 4;

// The row sums: each of the kWarpsPerBlock warps of a block has kSlots floats in shared memory.
constexpr int kWarpsPerBlock = 8;
constexpr int kSlots = 1024;

// The layer: a block of kFeatures x kFeatures threads has kFeatures rows of x and all of w.
constexpr int kFeatures = 32;
