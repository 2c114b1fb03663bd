// Puzzle 35: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kFirstBlock = 64;   // threads of a block in Puzzle 01
constexpr int kBlock = 256;       // and in all other variants here
constexpr int kVectorBytes = 16;  // the most that a thread moves in one access
constexpr int kFields = 8;        // floats of a particle: 32 bytes, which are one sector
constexpr int kItems = 4;         // particles of a thread
