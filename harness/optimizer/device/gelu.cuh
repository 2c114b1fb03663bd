// The function gelu.
#pragma once

// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) is x sigmoid(2 sqrt(2/pi) (...)): an exponent and a division
// of the hardware's own, where tanhf() is some twenty instructions.
__device__ inline float gelu(float x) {
  return __fdividef(x, 1.0f + __expf(-1.59576912f * (x + 0.044715f * x * x * x)));
}
