// The function gelu.
#pragma once

#include "optimizer/device/sigmoid.cuh"

// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), where tanhf() would be some twenty instructions.
__device__ inline float gelu(float x) { return times_sigmoid(x, 1.59576912f * (x + 0.044715f * x * x * x)); }
