// Puzzle 02, Zip: the constants that launches and reference share.
#pragma once

constexpr float kAlpha = 0.75f;  // the kernels get it as their argument `alpha`
constexpr int kSteps = 16;       // of --steps
