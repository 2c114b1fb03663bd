// The function gelu.
#pragma once

// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
__device__ inline float gelu(float x) {
  return 0.5f * x * (1.0f + tanhf(0.797884561f * (x + 0.044715f * x * x * x)));
}
