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

// --tensor. A fragment is kSide x kSide; 16 heads are its rows.
constexpr int kSide = 16;
constexpr int kTensorKeys = 32;                             // of a part: a lane each in softmax
constexpr int kKeyTiles = kTensorKeys / kSide;              // side by side
constexpr int kShares = kWarps / kKeyTiles;                 // of a sum over a row, for each tile of scores
constexpr int kSteps = kRow / (kSide * kShares);            // tiles of such a share
constexpr int kPad = 8;                                     // elements more a row: no bank conflicts
constexpr int kOutThreads = 512, kOutColumns = 32;          // of a block of the last launch
constexpr int kOutShares = kOutThreads / (kMaxLatent / 4);  // of the parts; a thread has 4 columns
static_assert(kTensorKeys == kWarpSize && kWarps % kKeyTiles == 0 && kRow % (kShares * kSide) == 0);
static_assert(kOutColumns == kWarpSize && kOutShares * kMaxLatent == 4 * kOutThreads);
