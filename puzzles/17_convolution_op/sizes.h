// Puzzle 17, Convolution op: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kBlockSize = 128;  // threads of a block: results of a tile
constexpr int kMaxTaps = 256;    // the longest filter that --row-by-row and --batch hold in shared memory
constexpr int kPiece = 128;      // taps of a piece in --pieces
