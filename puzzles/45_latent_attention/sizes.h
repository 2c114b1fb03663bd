// Puzzle 45: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kWarpSize = 32;
constexpr int kWarps = 8;  // of a block; in --flash and --split: heads of a block
constexpr int kThreads = kWarps * kWarpSize;
constexpr int kRowWarps = 16;  // of a block of weigh_kernel
constexpr int kTile = 16;      // the side of a tile of the given product
constexpr int kKeys = 16;      // rows of a tile of --flash and --split
constexpr int kPart = 64;      // keys of a part of --split

// The longest latent and rotary rows that --flash and --split have room for.
constexpr int kMaxLatent = 512, kMaxRope = 64;
constexpr int kRow = kMaxLatent + kMaxRope;         // elements of a row of the tile
constexpr int kOwnLatent = kMaxLatent / kWarpSize;  // of them one lane's
constexpr int kOwn = kRow / kWarpSize;
