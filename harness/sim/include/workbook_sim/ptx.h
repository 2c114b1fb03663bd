// Inline PTX of tensor cores, and of what feeds them; all other instructions are in ptx_functions.h,
// ptx_float.h and ptx_memory.h. The rewriter (harness/translate/ptx.h) makes of `asm("mma.sync...." : ...)` a
// call of the function here that has the instruction's name with '_' for '.', and gives it the operands in
// the order of the text.
//
// Which lane holds what: PTX ISA, "Matrix Fragments for mma" and "ldmatrix". A register is a word of 4 bytes,
// so that for all types word w of row r of an 8 x 8 tile of words is with lane 4 r + w of its half.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "attributes.h"
#include "engine_api.h"
#include "group_product.h"
#include "groups/place.h"
#include "ptx_barriers.h"
#include "ptx_memory.h"
#include "small_float_format.h"
#include "vector_types.h"
#include "warp_products.h"

WORKBOOK_SIM_INLINE std::size_t __cvta_generic_to_shared(const void* address) {
  return workbook_sim_shared_offset(address);
}

namespace workbook::sim {

/// What a register of a factor holds. Of a float in tf32 the hardware reads the upper 19 bits.
struct HalfFactors {
  static constexpr int kInWord = 2;
  WORKBOOK_SIM_UNTRACED_INLINE static float get(std::uint32_t word, int i) {
    return decode_half(static_cast<std::uint16_t>(word >> 16 * i));
  }
};
struct Bfloat16Factors {
  static constexpr int kInWord = 2;
  WORKBOOK_SIM_UNTRACED_INLINE static float get(std::uint32_t word, int i) {
    return decode_bfloat16(static_cast<std::uint16_t>(word >> 16 * i));
  }
};
struct Tf32Factors {
  static constexpr int kInWord = 1;
  WORKBOOK_SIM_UNTRACED_INLINE static float get(std::uint32_t word, int) {
    return std::bit_cast<float>(word & 0xffffe000u);
  }
};

struct Int8Factors {
  static constexpr int kInWord = 4;
  WORKBOOK_SIM_UNTRACED_INLINE static std::int32_t get(std::uint32_t word, int i) {
    return static_cast<std::int8_t>(word >> 8 * i);
  }
};

/// A lane's registers of one mma, kWords words of 4 bytes along k.
template <class Sum>
struct MmaShare {
  Sum* d[4];
  std::uint32_t a[4], b[2];
  Sum c[4];
  std::uint32_t came = ~0u;  ///< lanes
};

/// d = a b + c for 16 x 8 sums, by the whole warp. A lane has rows lane / 4 and 8 below, and columns
/// 2 (lane % 4) and the next one of c and d; of a the words lane % 4 (and 4 more) of these rows; of b the
/// same words of column lane / 4.
template <class Factors, int kWords, class Sum>
WORKBOOK_SIM_UNTRACED void multiply_registers(void* const* lanes, std::uint32_t mask) {
  constexpr int kInWord = Factors::kInWord, kK = kWords * kInWord;
  // Tensor cores take twice as long for a 32-bit factor as for a 16-bit one, and half as long for one of 8.
  workbook_sim_mma(2.0 * 16 * 8 * kK * (2.0 / kInWord));
  Sum a[16][kK] = {}, b[kK][8] = {}, sums[16][8] = {};
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest), group = lane / 4;
    const auto& share = *static_cast<const MmaShare<Sum>*>(lanes[lane]);
    for (int word = lane % 4; word < kWords; word += 4)
      for (int i = 0; i < kInWord; ++i) {
        a[group][word * kInWord + i] = Factors::get(share.a[word / 4 * 2], i);
        a[group + 8][word * kInWord + i] = Factors::get(share.a[word / 4 * 2 + 1], i);
        b[word * kInWord + i][group] = Factors::get(share.b[word / 4], i);
      }
    for (int e = 0; e < 4; ++e) sums[group + e / 2 * 8][lane % 4 * 2 + e % 2] = share.c[e];
  }
  add_products(sums, a, b);
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const auto& share = *static_cast<const MmaShare<Sum>*>(lanes[lane]);
    static_cast<MmaShare<Sum>*>(lanes[lane])->came = mask;
    for (int e = 0; e < 4; ++e) *share.d[e] = sums[lane / 4 + e / 2 * 8][lane % 4 * 2 + e % 2];
  }
}

template <class Factors, int kWords, class Sum = float>
WORKBOOK_SIM_INLINE void run_mma(MmaShare<Sum> share) {
  workbook_sim_warp_exchange(0xffffffffu, &share, &multiply_registers<Factors, kWords, Sum>);
  if (share.came != ~0u) workbook_sim_warp_part(share.came);
}

/// A lane's row of 16 bytes as it was read, and its registers.
struct MatrixShare {
  std::uint32_t row[4];
  std::uint32_t out[4];
  std::uint32_t came = ~0u;  ///< lanes
};

/// An element of 16 bits of a matrix's row; all ones where no lane gave that row.
WORKBOOK_SIM_UNTRACED_INLINE std::uint32_t element_of_row(const void* share, int column) {
  if (share == nullptr) return 0xffffu;
  return static_cast<const MatrixShare*>(share)->row[column / 2] >> column % 2 * 16 & 0xffffu;
}

template <int kMatrices, bool kTurned>
WORKBOOK_SIM_UNTRACED void hand_on_rows(void* const* lanes, std::uint32_t mask) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest), line = lane / 4, first = lane % 4 * 2;
    auto& share = *static_cast<MatrixShare*>(lanes[lane]);
    share.came = mask;
    for (int m = 0; m < kMatrices; ++m) {
      void* const* const rows = lanes + 8 * m;
      share.out[m] = kTurned
                         ? element_of_row(rows[first], line) | element_of_row(rows[first + 1], line) << 16
                         : element_of_row(rows[line], first) | element_of_row(rows[line], first + 1) << 16;
    }
  }
}

/// Lane 8 m + r gives the address of row r of matrix m, 8 elements of 16 bits, and reads it. Then each lane
/// gets of each matrix elements 2 (lane % 4) and the next one of row lane / 4, of column lane / 4 if kTurned.
template <int kMatrices, bool kTurned, class... Registers>
WORKBOOK_SIM_INLINE void load_matrices(std::size_t offset, Registers&... registers) {
  static_assert(sizeof...(Registers) == kMatrices);
  using Word = typename Whole<16>::type;
  MatrixShare share{};
  if (lane_in_warp() < 8 * kMatrices) {
    const Word row = *static_cast<const Word*>(workbook_sim_shared_address(offset));
    __builtin_memcpy(share.row, &row, sizeof row);
  }
  workbook_sim_warp_exchange(0xffffffffu, &share, &hand_on_rows<kMatrices, kTurned>);
  if (share.came != ~0u) workbook_sim_warp_part(share.came);
  int m = 0;
  ((registers = share.out[m++]), ...);
}

}  // namespace workbook::sim

namespace workbook::sim::ptx {

using Register = std::uint32_t;

// Instructions are templates, so that a program pays only for those that it has: of a plain function every
// template that it calls is compiled with every source, even out of a precompiled header.

// d, a, b and c of an mma as the text of the instruction has them.
#define WORKBOOK_MMA_16(NAME, FACTORS)                                                                  \
  template <class = void>                                                                               \
  WORKBOOK_SIM_INLINE void NAME(float& d0, float& d1, float& d2, float& d3, Register a0, Register a1,   \
                                Register a2, Register a3, Register b0, Register b1, float c0, float c1, \
                                float c2, float c3) {                                                   \
    run_mma<FACTORS, 8>({{&d0, &d1, &d2, &d3}, {a0, a1, a2, a3}, {b0, b1}, {c0, c1, c2, c3}});          \
  }
WORKBOOK_MMA_16(mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32, HalfFactors)
WORKBOOK_MMA_16(mma_sync_aligned_m16n8k16_row_col_f32_bf16_bf16_f32, Bfloat16Factors)
WORKBOOK_MMA_16(mma_sync_aligned_m16n8k8_row_col_f32_tf32_tf32_f32, Tf32Factors)
#undef WORKBOOK_MMA_16

#define WORKBOOK_MMA_8(NAME, FACTORS)                                                                 \
  template <class = void>                                                                             \
  WORKBOOK_SIM_INLINE void NAME(float& d0, float& d1, float& d2, float& d3, Register a0, Register a1, \
                                Register b0, float c0, float c1, float c2, float c3) {                \
    run_mma<FACTORS, 4>({{&d0, &d1, &d2, &d3}, {a0, a1, 0, 0}, {b0, 0}, {c0, c1, c2, c3}});           \
  }
WORKBOOK_MMA_8(mma_sync_aligned_m16n8k8_row_col_f32_f16_f16_f32, HalfFactors)
WORKBOOK_MMA_8(mma_sync_aligned_m16n8k8_row_col_f32_bf16_bf16_f32, Bfloat16Factors)
#undef WORKBOOK_MMA_8

// Sums of half, two in a register: summed as float and rounded once.
template <int kWords>
WORKBOOK_SIM_INLINE void run_half_sums(Register& d0, Register& d1, const Register (&a)[4], Register b0,
                                       Register b1, Register c0, Register c1) {
  float sums[4];
  run_mma<HalfFactors, kWords>(
      {{&sums[0], &sums[1], &sums[2], &sums[3]},
       {a[0], a[1], a[2], a[3]},
       {b0, b1},
       {HalfFactors::get(c0, 0), HalfFactors::get(c0, 1), HalfFactors::get(c1, 0), HalfFactors::get(c1, 1)}});
  d0 = encode_half(sums[0]) | static_cast<Register>(encode_half(sums[1])) << 16;
  d1 = encode_half(sums[2]) | static_cast<Register>(encode_half(sums[3])) << 16;
}
template <class = void>
WORKBOOK_SIM_INLINE void mma_sync_aligned_m16n8k16_row_col_f16_f16_f16_f16(Register& d0, Register& d1,
                                                                           Register a0, Register a1,
                                                                           Register a2, Register a3,
                                                                           Register b0, Register b1,
                                                                           Register c0, Register c1) {
  run_half_sums<8>(d0, d1, {a0, a1, a2, a3}, b0, b1, c0, c1);
}
template <class = void>
WORKBOOK_SIM_INLINE void mma_sync_aligned_m16n8k8_row_col_f16_f16_f16_f16(Register& d0, Register& d1,
                                                                          Register a0, Register a1,
                                                                          Register b0, Register c0,
                                                                          Register c1) {
  run_half_sums<4>(d0, d1, {a0, a1, 0, 0}, b0, 0, c0, c1);
}

// Whole numbers: D is a register that C++ has with a sign or without.
template <class D, class C>
WORKBOOK_SIM_INLINE void mma_sync_aligned_m16n8k32_row_col_s32_s8_s8_s32(D& d0, D& d1, D& d2, D& d3,
                                                                         Register a0, Register a1,
                                                                         Register a2, Register a3,
                                                                         Register b0, Register b1, C c0, C c1,
                                                                         C c2, C c3) {
  std::int32_t sums[4];
  run_mma<Int8Factors, 8, std::int32_t>({{&sums[0], &sums[1], &sums[2], &sums[3]},
                                         {a0, a1, a2, a3},
                                         {b0, b1},
                                         {static_cast<std::int32_t>(c0), static_cast<std::int32_t>(c1),
                                          static_cast<std::int32_t>(c2), static_cast<std::int32_t>(c3)}});
  d0 = static_cast<D>(sums[0]), d1 = static_cast<D>(sums[1]);
  d2 = static_cast<D>(sums[2]), d3 = static_cast<D>(sums[3]);
}
template <class D, class C>
WORKBOOK_SIM_INLINE void mma_sync_aligned_m16n8k16_row_col_s32_s8_s8_s32(D& d0, D& d1, D& d2, D& d3,
                                                                         Register a0, Register a1,
                                                                         Register b0, C c0, C c1, C c2,
                                                                         C c3) {
  std::int32_t sums[4];
  run_mma<Int8Factors, 4, std::int32_t>({{&sums[0], &sums[1], &sums[2], &sums[3]},
                                         {a0, a1, 0, 0},
                                         {b0, 0},
                                         {static_cast<std::int32_t>(c0), static_cast<std::int32_t>(c1),
                                          static_cast<std::int32_t>(c2), static_cast<std::int32_t>(c3)}});
  d0 = static_cast<D>(sums[0]), d1 = static_cast<D>(sums[1]);
  d2 = static_cast<D>(sums[2]), d3 = static_cast<D>(sums[3]);
}

// The shared address comes last.
#define WORKBOOK_LDMATRIX(TURNED, IS_TURNED)                                                              \
  template <class = void>                                                                                 \
  WORKBOOK_SIM_INLINE void ldmatrix_sync_aligned_m8n8_x1##TURNED##_shared_b16(Register& r0,               \
                                                                              std::size_t address) {      \
    load_matrices<1, IS_TURNED>(address, r0);                                                             \
  }                                                                                                       \
  template <class = void>                                                                                 \
  WORKBOOK_SIM_INLINE void ldmatrix_sync_aligned_m8n8_x2##TURNED##_shared_b16(Register& r0, Register& r1, \
                                                                              std::size_t address) {      \
    load_matrices<2, IS_TURNED>(address, r0, r1);                                                         \
  }                                                                                                       \
  template <class = void>                                                                                 \
  WORKBOOK_SIM_INLINE void ldmatrix_sync_aligned_m8n8_x4##TURNED##_shared_b16(                            \
      Register& r0, Register& r1, Register& r2, Register& r3, std::size_t address) {                      \
    load_matrices<4, IS_TURNED>(address, r0, r1, r2, r3);                                                 \
  }
WORKBOOK_LDMATRIX(, false)
WORKBOOK_LDMATRIX(_trans, true)
#undef WORKBOOK_LDMATRIX

/// The nearest number that tf32 holds, ties away from zero.
WORKBOOK_SIM_INLINE void cvt_rna_tf32_f32(Register& d, float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  d = (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + 0x1000u) & 0xffffe000u;
}

}  // namespace workbook::sim::ptx
