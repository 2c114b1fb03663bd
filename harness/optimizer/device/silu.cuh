// The function silu.
#pragma once

#include "optimizer/device/sigmoid.cuh"

__device__ inline float silu(float x) { return times_sigmoid(x, x); }
