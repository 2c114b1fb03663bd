// Puzzle 14, Prefix sum: the sizes and words that kernels, launches and declaration agree on.
#pragma once

constexpr int kBlockSize = 256;  // threads of every block
constexpr int kPerThread = 23;   // neighbouring elements of a thread; odd, and the chapter says why
constexpr int kPieceSize = kBlockSize * kPerThread;  // elements of a block, in --complete and --single-pass

// What a block has told of its piece in --single-pass.
enum Kind : int {
  kNothing,  // not a word yet: all bits are 0
  kSum,      // the sum of the piece's own elements
  kPrefix    // the sum of all elements up to the piece's last one
};
