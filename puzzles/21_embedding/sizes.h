// Puzzle 21, Embedding: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kBlockSize = 256;  // threads of a block in --coalesced and --vector
constexpr int kBlockX = 32;      // a block of --2d: positions along x
constexpr int kBlockY = 8;       // and features along y
