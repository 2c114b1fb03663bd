// Puzzle 22, LayerNorm + Linear: the sizes that kernels, launches and declaration agree on.
#pragma once

constexpr int kWarpSize = 32;
constexpr int kRowsPerBlock = 8;   // --fused-block and the fused backward kernels: a warp each
constexpr int kRowsPerShare = 16;  // rows whose gradients a block of the backward kernels adds up

// --fused-tiled and the products of the gradients: the tile of a block, and elements of the sum at a time.
constexpr int kTileRows = 128;
constexpr int kTileColumns = 128;
constexpr int kTileDepth = 8;
constexpr int kTilePositions = kTileRows - 2;  // --fused-tiled: the last two rows are gamma and beta
