// Sizes of Puzzle 25, which kernels and declaration count with.
#pragma once

constexpr int kWarpSize = 32;
constexpr int kBlockSize = 256;
constexpr int kWarpsPerBlock = kBlockSize / kWarpSize;

// The ring: a lane has kPerLane neighbouring points, a warp a segment of kSegment. Of these kSteps at either
// end are helpers, which the neighbouring warp keeps, and kKept in the middle are its own.
constexpr int kSteps = 16;
constexpr int kPerLane = 4;
constexpr int kSegment = kWarpSize * kPerLane;
constexpr int kKept = kSegment - 2 * kSteps;
constexpr int kHelperLanes = kSteps / kPerLane;  // at either end of a warp

// The average: a warp has kChunks results a lane, and for them kHeld elements a lane: the elements of two
// more chunks belong to the windows of the last one.
constexpr int kWindow = 64;
constexpr int kChunks = 4;
constexpr int kHeld = kChunks + kWindow / kWarpSize;

// The frames: a float4 a lane.
constexpr int kFrame = kWarpSize * kPerLane;
