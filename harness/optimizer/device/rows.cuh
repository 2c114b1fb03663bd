// Rows in registers: loads and stores.
#pragma once

#include "optimizer/device/conversions.cuh"
#include "optimizer/device/row_of_block.cuh"

// A thread holds kVector neighbours of a row, then as many again a whole block further on.
template <int kThreads, int kVector>
__device__ inline int place_of(int e) {
  return (e / kVector * kThreads + thread_of_row<kThreads>()) * kVector + e % kVector;
}
// kVector elements in one access. Where the row's length is a multiple of kVector, every row begins at such.
template <class T, int kVector>
struct alignas(sizeof(T) * kVector) Pack {
  T values[kVector];
};
// Those elements of `row` whose place is inside, and 0; `whole`: packs begin where they may, and are inside
// or are not. All loads are on their way before the first is waited for, which whoever takes a word apart
// does.
template <int kThreads, int kVector, int kElements, class T, class Inside>
__device__ inline void load_inside(float (&values)[kElements], const T* row, bool whole, Inside inside) {
  using Words = Pack<unsigned, kVector* static_cast<int>(sizeof(T)) / 4>;
  if (whole) {
    Words words[kElements / kVector] = {};
#pragma unroll
    for (int e = 0; e < kElements; e += kVector) {
      const int place = place_of<kThreads, kVector>(e);
      if (inside(place)) words[e / kVector] = *reinterpret_cast<const Words*>(row + place);
    }
#pragma unroll
    for (int e = 0; e < kElements; ++e)
      values[e] =
          to_float(reinterpret_cast<const Pack<T, kVector>*>(&words[e / kVector])->values[e % kVector]);
  } else {
    T single[kElements] = {};
#pragma unroll
    for (int e = 0; e < kElements; ++e) {
      const int place = place_of<kThreads, kVector>(e);
      if (inside(place)) single[e] = row[place];
    }
#pragma unroll
    for (int e = 0; e < kElements; ++e) values[e] = to_float(single[e]);
  }
}
template <int kThreads, int kVector, int kElements, class T>
__device__ inline void load_row(float (&values)[kElements], const T* row, int size) {
  load_inside<kThreads, kVector>(values, row, size % kVector == 0, [=](int place) { return place < size; });
}
// A part of `row`, whose element at a place lies `shift` further on: 0 where that is outside of `length`.
template <int kThreads, int kVector, int kElements, class T>
__device__ inline void load_row_at(float (&values)[kElements], const T* row, int shift, int length,
                                   int size) {
  load_inside<kThreads, kVector>(
      values, row + shift, shift % kVector == 0 && length % kVector == 0, [=](int place) {
        return place < size && static_cast<unsigned>(place + shift) < static_cast<unsigned>(length);
      });
}
template <int kThreads, int kVector, int kElements, class T>
__device__ inline void store_row(T* row, const float (&values)[kElements], int size) {
#pragma unroll
  for (int e = 0; e < kElements; e += kVector) {
    const int place = place_of<kThreads, kVector>(e);
    if (size % kVector == 0 && place < size) {
      Pack<T, kVector> pack;
#pragma unroll
      for (int v = 0; v < kVector; ++v) pack.values[v] = from_float<T>(values[e + v]);
      *reinterpret_cast<Pack<T, kVector>*>(row + place) = pack;
    } else {
#pragma unroll
      for (int v = 0; v < kVector; ++v)
        if (place + v < size) row[place + v] = from_float<T>(values[e + v]);
    }
  }
}
