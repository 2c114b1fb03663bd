// Tensor core fragments (nvcuda::wmma): each lane holds its part of a tile and loads it itself, with the
// accesses of the hardware's layout; the products are computed when the warp meets, and summed in float.
//
// Which lane holds which element is the layout of the PTX ISA's mma instructions ("Matrix Fragments for
// mma"), which CUDA leaves open: programs must not depend on it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "engine_api.h"
#include "groups/place.h"
#include "warp_products.h"

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

}  // namespace nvcuda::wmma

namespace workbook::sim {

/// What a fragment's elements are kept as.
template <class T>
struct FragmentStorage {
  using type = T;
};
template <>
struct FragmentStorage<nvcuda::wmma::precision::tf32> {
  using type = float;
};

/// The type that products of T are summed in.
template <class T>
using Summed = std::conditional_t<std::is_same_v<T, double>, double,
                                  std::conditional_t<std::is_integral_v<T>, int, float>>;

/// A tile of kRows x kColumns over the lanes of a warp. Neighbours along the columns (along the rows where
/// kAcross) are kept in packs of kPack; element `e` of a lane repeats after the kHeld that it really holds.
template <int kRows, int kColumns, int kPack, bool kAcross>
struct FragmentMap {
  static constexpr int kLines = kAcross ? kColumns : kRows;  ///< the side without packs
  static constexpr int kHeld = kRows * kColumns / 32;

  struct Place {
    int row, column;
  };
  static WORKBOOK_SIM_INLINE Place place(int lane, int element) {
    const int pack = element / kPack, blocks = kLines / 8;
    const int line = lane / 4 + 8 * (pack % blocks);
    const int along = lane % 4 * kPack + element % kPack + 4 * kPack * (pack / blocks);
    return kAcross ? Place{along, line} : Place{line, along};
  }
};

/// Told of once a load or store; hardly ever more than this test. Of bytes no leading dimension is ruled out:
/// that of columns of 8 lies 8 bytes apart.
template <class T>
WORKBOOK_SIM_INLINE void check_place(const T* matrix, unsigned int stride) {
  const std::size_t bytes = sizeof(T) == 1 ? kFragmentStrideBytes : stride * sizeof(T);
  if (reinterpret_cast<std::uintptr_t>(matrix) % kFragmentBytes != 0 || bytes % kFragmentStrideBytes != 0)
    workbook_sim_fragment_lies(matrix, bytes);
}

/// The elements of a lane from or to a matrix of leading dimension `stride`. Packs that lie together in
/// memory move as one access.
template <class Map, int kPack, bool kAcross, class T>
WORKBOOK_SIM_INLINE void load_fragment(T* elements, int count, const T* matrix, unsigned int stride,
                                       bool by_rows) {
  check_place(matrix, stride);
  const int lane = static_cast<int>(lane_in_warp());
  for (int e = 0; e < Map::kHeld; e += kPack) {
    const auto first = Map::place(lane, e);
    const std::size_t at =
        by_rows ? static_cast<std::size_t>(first.row) * stride + static_cast<std::size_t>(first.column)
                : static_cast<std::size_t>(first.column) * stride + static_cast<std::size_t>(first.row);
    if (by_rows != kAcross && kPack > 1) {
      using Word = typename Whole<kPack * sizeof(T)>::type;
      const Word word = *reinterpret_cast<const Word*>(matrix + at);
      __builtin_memcpy(static_cast<void*>(elements + e), &word, sizeof word);
    } else {
      for (int i = 0; i < kPack; ++i)
        elements[e + i] = matrix[at + static_cast<std::size_t>(i) * (kPack > 1 ? stride : 1)];
    }
  }
  for (int e = Map::kHeld; e < count; ++e) elements[e] = elements[e % Map::kHeld];
}

template <class Map, int kPack, class T>
WORKBOOK_SIM_INLINE void store_fragment(T* matrix, const T* elements, unsigned int stride, bool by_rows) {
  check_place(matrix, stride);
  const int lane = static_cast<int>(lane_in_warp());
  for (int e = 0; e < Map::kHeld; e += kPack) {
    const auto first = Map::place(lane, e);
    if (by_rows) {
      using Word = typename Whole<kPack * sizeof(T)>::type;
      Word word;
      __builtin_memcpy(&word, static_cast<const void*>(elements + e), sizeof word);
      *reinterpret_cast<Word*>(matrix + static_cast<std::size_t>(first.row) * stride + first.column) = word;
    } else {
      for (int i = 0; i < kPack; ++i)
        matrix[static_cast<std::size_t>(first.column + i) * stride + static_cast<std::size_t>(first.row)] =
            elements[e + i];
    }
  }
}

/// An element as a factor. Of a float in tf32 the hardware reads the upper 19 bits.
template <class T>
WORKBOOK_SIM_INLINE auto factor(const typename FragmentStorage<T>::type& value) {
  if constexpr (std::is_same_v<T, nvcuda::wmma::precision::tf32>)
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xffffe000u);
  else
    return static_cast<Summed<T>>(value);
}

template <class D, class A, class B, class C>
struct FragmentShare {
  D* d;
  const A* a;
  const B* b;
  const C* c;
  bool saturate;
  std::uint32_t came = ~0u;  ///< lanes
};

/// What the sums begin with, from all lanes; or what they came to, to them.
template <bool kFirst, class Share, class D, class Sum, int kM, int kN>
WORKBOOK_SIM_UNTRACED_INLINE void exchange_sums(void* const* lanes, Sum (&sums)[kM][kN]) {
  for (int lane = 0; lane < 32; ++lane) {
    const auto* share = static_cast<const Share*>(lanes[lane]);
    if (share == nullptr) continue;
    for (int e = 0; e < D::Map::kHeld; ++e) {
      const auto at = D::Map::place(lane, e);
      if constexpr (kFirst)
        sums[at.row][at.column] = static_cast<Sum>(share->c->x[e]);
      else
        share->d->x[e] = sums[at.row][at.column];
    }
  }
}

template <class D, class A, class B, class C>
WORKBOOK_SIM_UNTRACED void multiply_fragments(void* const* lanes, std::uint32_t mask) {
  using Share = FragmentShare<D, A, B, C>;
  if (mask != ~0u)
    for (int lane = 0; lane < 32; ++lane)
      if (lanes[lane] != nullptr) static_cast<Share*>(lanes[lane])->came = mask;
  using Sum = Summed<typename A::workbook_type>;
  constexpr int kM = D::workbook_rows, kN = D::workbook_columns, kK = A::workbook_columns;
  static_assert(kM == A::workbook_rows && kN == B::workbook_columns && kK == B::workbook_rows);
  // Tensor cores take twice as long for a 32-bit factor as for a 16-bit one, half as long for one of 8 bits.
  // Sums of double are not theirs on every GPU, and no part of this count.
  if constexpr (!std::is_same_v<Sum, double>)
    workbook_sim_tensor_flops(kM * kN * kK * static_cast<double>(sizeof(typename A::storage_element_type)));
  Sum a[kM][kK] = {}, b[kK][kN] = {};
  for (int lane = 0; lane < 32; ++lane) {
    const auto* share = static_cast<const Share*>(lanes[lane]);
    if (share == nullptr) continue;
    for (int e = 0; e < A::Map::kHeld; ++e) {
      const auto at = A::Map::place(lane, e);
      a[at.row][at.column] = factor<typename A::workbook_type>(share->a->x[e]);
    }
    for (int e = 0; e < B::Map::kHeld; ++e) {
      const auto at = B::Map::place(lane, e);
      b[at.row][at.column] = factor<typename B::workbook_type>(share->b->x[e]);
    }
  }
  if constexpr (std::is_integral_v<Sum>) {
    for (int lane = 0; lane < 32; ++lane) {
      const auto* share = static_cast<const Share*>(lanes[lane]);
      if (share == nullptr) continue;
      for (int e = 0; e < D::Map::kHeld; ++e) {
        const auto at = D::Map::place(lane, e);
        std::int64_t sum = share->c->x[e];
        for (int k = 0; k < kK; ++k) sum += a[at.row][k] * b[k][at.column];
        if (share->saturate)
          sum =
              std::clamp<std::int64_t>(sum, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
        share->d->x[e] = static_cast<int>(sum);
      }
    }
  } else {
    Sum sums[kM][kN] = {};
    exchange_sums<true, Share, D>(lanes, sums);
    add_products(sums, a, b);
    exchange_sums<false, Share, D>(lanes, sums);
  }
}

}  // namespace workbook::sim

namespace nvcuda::wmma {

/// Any fragment that the list below lacks.
template <class Use, int kM, int kN, int kK, class T, class Layout = void>
class fragment {
  static_assert(!sizeof(T*), "the simulator has no wmma fragment of this shape, type and layout");
};

template <class T, int kRows, int kColumns, int kPack, bool kAcross, int kElements>
struct workbook_fragment {
  using element_type = T;
  using storage_element_type = typename workbook::sim::FragmentStorage<T>::type;
  using workbook_type = T;
  using Map = workbook::sim::FragmentMap<kRows, kColumns, kPack, kAcross>;
  static constexpr int workbook_rows = kRows, workbook_columns = kColumns, workbook_pack = kPack;
  static constexpr bool workbook_across = kAcross;
  enum : int { num_elements = kElements, num_storage_elements = kElements };
  storage_element_type x[kElements];
};

// Tiles m x n x k of T: how many elements of A and B a lane says it has. Packs fill a word of 4 bytes.
#define WORKBOOK_WMMA_FACTORS(M, N, K, T, A_ELEMENTS, B_ELEMENTS)                     \
  template <class Layout>                                                             \
  class fragment<matrix_a, M, N, K, T, Layout>                                        \
      : public workbook_fragment<T, M, K, workbook_pack_of<T>, false, A_ELEMENTS> {}; \
  template <class Layout>                                                             \
  class fragment<matrix_b, M, N, K, T, Layout>                                        \
      : public workbook_fragment<T, K, N, workbook_pack_of<T>, true, B_ELEMENTS> {};
#define WORKBOOK_WMMA_SUMS(M, N, K, T) \
  template <>                          \
  class fragment<accumulator, M, N, K, T> : public workbook_fragment<T, M, N, 2, false, M * N / 32> {};

template <class T>
inline constexpr int workbook_pack_of = sizeof(typename workbook::sim::FragmentStorage<T>::type) < 4
                                            ? 4 / sizeof(typename workbook::sim::FragmentStorage<T>::type)
                                            : 1;

WORKBOOK_WMMA_FACTORS(16, 16, 16, __half, 16, 16)
WORKBOOK_WMMA_FACTORS(32, 8, 16, __half, 16, 16)
WORKBOOK_WMMA_FACTORS(8, 32, 16, __half, 16, 16)
WORKBOOK_WMMA_FACTORS(16, 16, 16, __nv_bfloat16, 8, 8)
WORKBOOK_WMMA_FACTORS(32, 8, 16, __nv_bfloat16, 16, 4)
WORKBOOK_WMMA_FACTORS(8, 32, 16, __nv_bfloat16, 4, 16)
WORKBOOK_WMMA_FACTORS(16, 16, 16, signed char, 8, 8)
WORKBOOK_WMMA_FACTORS(32, 8, 16, signed char, 16, 4)
WORKBOOK_WMMA_FACTORS(8, 32, 16, signed char, 4, 16)
WORKBOOK_WMMA_FACTORS(16, 16, 16, unsigned char, 8, 8)
WORKBOOK_WMMA_FACTORS(32, 8, 16, unsigned char, 16, 4)
WORKBOOK_WMMA_FACTORS(8, 32, 16, unsigned char, 4, 16)
WORKBOOK_WMMA_FACTORS(16, 16, 8, precision::tf32, 4, 4)
WORKBOOK_WMMA_FACTORS(8, 8, 4, double, 1, 1)
WORKBOOK_WMMA_SUMS(16, 16, 16, float)
WORKBOOK_WMMA_SUMS(32, 8, 16, float)
WORKBOOK_WMMA_SUMS(8, 32, 16, float)
WORKBOOK_WMMA_SUMS(16, 16, 16, __half)
WORKBOOK_WMMA_SUMS(32, 8, 16, __half)
WORKBOOK_WMMA_SUMS(8, 32, 16, __half)
WORKBOOK_WMMA_SUMS(16, 16, 16, int)
WORKBOOK_WMMA_SUMS(32, 8, 16, int)
WORKBOOK_WMMA_SUMS(8, 32, 16, int)
WORKBOOK_WMMA_SUMS(16, 16, 8, float)
WORKBOOK_WMMA_SUMS(8, 8, 4, double)
#undef WORKBOOK_WMMA_FACTORS
#undef WORKBOOK_WMMA_SUMS

/// A tile of A or B from memory; `stride` elements lie between rows (between columns where it is col_major).
template <class Use, int kM, int kN, int kK, class T, class Layout>
WORKBOOK_SIM_INLINE void load_matrix_sync(fragment<Use, kM, kN, kK, T, Layout>& to,
                                          const typename workbook::sim::FragmentStorage<T>::type* from,
                                          unsigned int stride) {
  using Fragment = fragment<Use, kM, kN, kK, T, Layout>;
  static_assert(!std::is_same_v<Use, accumulator>,
                "an accumulator is loaded with a layout: mem_row_major or mem_col_major");
  workbook::sim::load_fragment<typename Fragment::Map, Fragment::workbook_pack, Fragment::workbook_across>(
      to.x, to.num_elements, from, stride, std::is_same_v<Layout, row_major>);
}
template <int kM, int kN, int kK, class T>
WORKBOOK_SIM_INLINE void load_matrix_sync(fragment<accumulator, kM, kN, kK, T>& to, const T* from,
                                          unsigned int stride, layout_t layout) {
  using Fragment = fragment<accumulator, kM, kN, kK, T>;
  workbook::sim::load_fragment<typename Fragment::Map, 2, false>(to.x, to.num_elements, from, stride,
                                                                 layout == mem_row_major);
}
template <int kM, int kN, int kK, class T>
WORKBOOK_SIM_INLINE void store_matrix_sync(T* to, const fragment<accumulator, kM, kN, kK, T>& from,
                                           unsigned int stride, layout_t layout) {
  workbook::sim::store_fragment<typename fragment<accumulator, kM, kN, kK, T>::Map, 2>(
      to, from.x, stride, layout == mem_row_major);
}
template <class Use, int kM, int kN, int kK, class T, class Layout>
WORKBOOK_SIM_INLINE void fill_fragment(
    fragment<Use, kM, kN, kK, T, Layout>& to,
    const std::type_identity_t<typename workbook::sim::FragmentStorage<T>::type>& value) {
  for (auto& element : to.x) element = value;
}

/// d = a b + c by the whole warp; d and c may be one fragment.
template <class D, class A, class B, class C, int kM, int kN, int kK, class LayoutA, class LayoutB>
WORKBOOK_SIM_INLINE void mma_sync(fragment<accumulator, kM, kN, kK, D>& d,
                                  const fragment<matrix_a, kM, kN, kK, A, LayoutA>& a,
                                  const fragment<matrix_b, kM, kN, kK, B, LayoutB>& b,
                                  const fragment<accumulator, kM, kN, kK, C>& c, bool saturate = false) {
  using FragmentD = fragment<accumulator, kM, kN, kK, D>;
  using FragmentA = fragment<matrix_a, kM, kN, kK, A, LayoutA>;
  using FragmentB = fragment<matrix_b, kM, kN, kK, B, LayoutB>;
  using FragmentC = fragment<accumulator, kM, kN, kK, C>;
  static_assert(std::is_same_v<A, B>, "both factors of mma_sync() have one type");
  workbook::sim::FragmentShare<FragmentD, FragmentA, FragmentB, FragmentC> mine{&d, &a, &b, &c, saturate};
  workbook_sim_warp_collective(
      0xffffffffu, &mine, &workbook::sim::multiply_fragments<FragmentD, FragmentA, FragmentB, FragmentC>);
  if (mine.came != ~0u) workbook_sim_warp_part(mine.came);
}

/// The nearest number that tf32 holds, ties away from zero.
inline float __float_to_tf32(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & 0x7f800000u) == 0x7f800000u) return x;
  return std::bit_cast<float>((bits + 0x1000u) & 0xffffe000u);
}

}  // namespace nvcuda::wmma
