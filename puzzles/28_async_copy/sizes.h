// Sizes of Puzzle 28, which kernels and declaration count with.
#pragma once

constexpr int kColumns = 256;  // threads of a block, each with a column of the block's terrain
constexpr int kReach = 12;     // columns that a path may move sideways from a row to the next
constexpr int kDepth = 4;      // stages of --four-stages and --pipeline
