// Puzzle 14, Prefix sum: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kBlockSize = 256;  // threads of every block
constexpr int kPerThread = 23;   // neighbouring elements of a thread; odd, and the chapter says why
constexpr int kPieceSize = kBlockSize * kPerThread;  // elements of a block, in --complete and --single-pass
