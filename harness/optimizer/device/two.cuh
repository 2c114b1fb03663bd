// Two neighbours.
#pragma once

#include "optimizer/device/conversions.cuh"

// Two neighbours, of a tile or of a result.
template <class T>
struct alignas(2 * sizeof(T)) Two {
  T at[2];
};
template <class T>
__device__ inline Two<T> load_two(const T* from) {
  return *reinterpret_cast<const Two<T>*>(from);
}
// `inside` of the two are there, and `together` says that two always lie where they can be stored at once.
template <class T>
__device__ inline void store_two(T* to, const float (&values)[2], int inside, bool together) {
  if (together) {
    Two<T> both;
    for (int j = 0; j < 2; ++j) both.at[j] = from_float<T>(values[j]);
    *reinterpret_cast<Two<T>*>(to) = both;
    return;
  }
  to[0] = from_float<T>(values[0]);
  if (inside > 1) to[1] = from_float<T>(values[1]);
}
