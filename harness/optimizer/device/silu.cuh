// The function silu.
#pragma once

// x sigmoid(x), by the hardware's own exponent and division.
__device__ inline float silu(float x) { return __fdividef(x, 1.0f + __expf(-x)); }
