// Two elements as a word.
#pragma once

#include <type_traits>

#include "optimizer/device/half.cuh"

// Two elements as a word, each rounded.
__device__ inline unsigned word_of(float first, float second) {
  unsigned word;
  if constexpr (std::is_same_v<Half, half>)
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
  else
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
  return word;
}
