// Eight elements that lie together.
#pragma once

#include "optimizer/device/half.cuh"

// Eight elements that lie together: `bits` is how they travel, `words` how they are multiplied, `at` what
// they are.
union Eight {
  uint4 bits;
  unsigned words[4];
  Half at[8];
};
__device__ inline Eight load_eight(const Half* from) { return {*reinterpret_cast<const uint4*>(from)}; }
__device__ inline void store_eight(Half* to, const Eight& eight) {
  *reinterpret_cast<uint4*>(to) = eight.bits;
}
