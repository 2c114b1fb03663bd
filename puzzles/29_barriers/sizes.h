// Sizes of Puzzle 29, which kernels and declaration count with.
#pragma once

constexpr int kWarpSize = 32;

// The filter: a block has a recording, and a thread for each of its channels, kChannels at most. It goes
// through time by tiles of kSteps points of time, 4 KB of kChannels channels.
constexpr int kChannels = 128;
constexpr int kSteps = 8;
// --pipeline: so many tiles are in shared memory, and this many threads beside the kChannels copy them.
constexpr int kStages = 8;
constexpr int kProducers = kWarpSize;

// The bar: a block has a tile of kTileCells cells, a thread for each. --halo does up to kHalo steps with it,
// which leaves kOwnCells of them right.
constexpr int kTileCells = 256;
constexpr int kHalo = 16;
constexpr int kOwnCells = kTileCells - 2 * kHalo;
