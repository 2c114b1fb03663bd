// Sizes of Puzzle 30, which kernels and declaration count with.
#pragma once

constexpr int kWarpSize = 32;
constexpr int kWindow = 64;  // steps that a sum runs over
constexpr int kLanes = 4;    // channels of a float4: there is always a multiple of them

// --columns: a block of kColumnsBlock threads, a step each; a thread has kRun channels one after the other.
constexpr int kColumnsBlock = 128;
constexpr int kRun = 32;

// --across: blocks of kAcross channels x kDown steps, a thread each.
constexpr int kAcross = 32;
constexpr int kDown = 8;

// --thrash and --tiles: a warp has a tile of kTile float4 of out.
constexpr int kTile = 512;
constexpr int kThrashWide = 256;  // of --thrash: float4
constexpr int kThrashHigh = kTile / kThrashWide;

// --chain and --ahead: a block has kChainBlock channels, a thread each.
constexpr int kChainBlock = 32;
constexpr int kAhead = 8;  // steps of --ahead whose loads are under way together
