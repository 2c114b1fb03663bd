// Puzzle 39, LayerNorm + residual: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kWarpSize = 32;
constexpr int kBlockSize = 256;   // threads a row in --unfused, --fused and --welford
constexpr int kRowItems = 16;     // elements of a row that a thread of --welford has registers for
constexpr int kMaxHidden = 8192;  // elements of a row that a block of --vector has registers for
