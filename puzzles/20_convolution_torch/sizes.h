// Puzzle 20, Convolution in PyTorch: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kBlockSize = 128;  // threads of a block, and positions of a tile
constexpr int kPiece = 128;      // taps of a piece of the filter: not more than threads
