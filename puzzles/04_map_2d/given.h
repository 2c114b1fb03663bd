// Puzzle 04, Map 2D: the constant that kernels and reference share.
#pragma once

constexpr float kSlope = 0.0625f;  // per column, and the other way per row
