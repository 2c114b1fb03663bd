// Packs of neighbours in memory.
#pragma once

#include <type_traits>

#include "optimizer/device/conversions.cuh"

// kVector neighbours in memory, as they travel. Where the row's length is a multiple of kVector, every row
// begins at such.
template <class T, int kVector>
struct NeighboursOf {
  using Piece = std::conditional_t<sizeof(T) * kVector % 16 == 0, uint4, uint2>;
  static constexpr int kPieces = static_cast<int>(sizeof(T)) * kVector / static_cast<int>(sizeof(Piece));
  Piece pieces[kPieces];
  __device__ float at(int each) const { return to_float(reinterpret_cast<const T*>(pieces)[each]); }
};
// Those of a row of `size` from `first` on; behind its end its last ones again. No load stands behind a
// condition that differs from thread to thread, so that all of a turn are on their way together. kWhole: the
// caller knows that `size` is a multiple of kVector.
template <int kVector, bool kWhole = false, class T>
__device__ inline NeighboursOf<T, kVector> pack_of(const T* row, int first, int size) {
  using Pack = NeighboursOf<T, kVector>;
  Pack pack;
  if (kWhole || size % kVector == 0) {
    const auto* const from = reinterpret_cast<const typename Pack::Piece*>(row + min(first, size - kVector));
#pragma unroll
    for (int i = 0; i < Pack::kPieces; ++i) pack.pieces[i] = from[i];
  } else {
#pragma unroll
    for (int i = 0; i < kVector; ++i) reinterpret_cast<T*>(pack.pieces)[i] = row[min(first + i, size - 1)];
  }
  return pack;
}
// Those of a row of `length` from `first` on, which may be outside of it: there they are 0.
template <int kVector, class T>
__device__ inline void load_pack_at(float (&values)[kVector], const T* row, int first, int length) {
  if (first % kVector == 0 && length % kVector == 0) {
    const bool inside = static_cast<unsigned>(first) < static_cast<unsigned>(length);
    NeighboursOf<T, kVector> pack = {};
    if (inside) pack = pack_of<kVector>(row, first, length);
#pragma unroll
    for (int i = 0; i < kVector; ++i) values[i] = pack.at(i);
  } else {
#pragma unroll
    for (int i = 0; i < kVector; ++i)
      values[i] =
          static_cast<unsigned>(first + i) < static_cast<unsigned>(length) ? to_float(row[first + i]) : 0.0f;
  }
}
template <int kVector, bool kWhole = false, class T>
__device__ inline void store_pack(T* row, int first, int size, const float (&values)[kVector]) {
  using Pack = NeighboursOf<T, kVector>;
  if (kWhole || size % kVector == 0) {
    if (first >= size) return;
    Pack pack;
#pragma unroll
    for (int i = 0; i < kVector; ++i) reinterpret_cast<T*>(pack.pieces)[i] = from_float<T>(values[i]);
#pragma unroll
    for (int i = 0; i < Pack::kPieces; ++i)
      reinterpret_cast<typename Pack::Piece*>(row + first)[i] = pack.pieces[i];
  } else {
#pragma unroll
    for (int i = 0; i < kVector; ++i)
      if (first + i < size) row[first + i] = from_float<T>(values[i]);
  }
}
