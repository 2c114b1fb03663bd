// Registers of inline PTX: their types, how they are read and written, and ways of rounding. The translation
// (harness/translate/ptx_emit.h) keeps registers in variables of ptx::u32 and its kin, reads them with
// get<T>() and writes them with put().
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "atomics.h"
#include "attributes.h"
#include "groups/place.h"
#include "intrinsics.h"
#include "small_float_format.h"
#include "warp_functions.h"

extern "C" {
unsigned int workbook_sim_multiprocessors();     ///< of the GPU that is modelled
unsigned long long workbook_sim_global_timer();  ///< nanoseconds, modelled
}

namespace workbook::sim::ptx {

using u8 = unsigned char;
using s8 = signed char;
using u16 = unsigned short;
using s16 = short;
using u32 = unsigned int;
using s32 = int;
using u64 = unsigned long long;
using s64 = long long;
using b8 = u8;
using b16 = u16;
using b32 = u32;
using b64 = u64;
using f32 = float;
using f64 = double;
using pred = bool;
/// Small numbers as their bits, and two of them in a word.
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
struct f16x2 {
  f16 low, high;
};
struct bf16x2 {
  bf16 low, high;
};

/// Of results: to nearest even, towards zero, down, up; with an i, to a whole number.
enum class Round { rn, rz, rm, rp, rni, rzi, rmi, rpi };

// ---- registers

/// The bits of a register, or the lower ones of a wider register, as T.
template <class T, class R>
WORKBOOK_SIM_INLINE auto get(R from) {
  if constexpr (sizeof(T) == sizeof(R)) {
    return bits_as<T>(from);
  } else {
    static_assert(sizeof(T) < sizeof(R) && std::is_integral_v<R>,
                  "a register of inline PTX is smaller than what its instruction takes");
    using Bits = typename Word<sizeof(T)>::type;
    return bits_as<T>(static_cast<Bits>(from));
  }
}

template <class T, class V>
WORKBOOK_SIM_INLINE auto constant(V value) {
  if constexpr (std::is_floating_point_v<V> && !std::is_floating_point_v<T>)
    return bits_as<T>(value);
  else if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(value);
  else
    return bits_as<T>(static_cast<typename Word<sizeof(T)>::type>(value));
}

/// Narrow results fill a wider register by their sign.
template <class R, class T>
WORKBOOK_SIM_INLINE void put(R& to, T value) {
  if constexpr (sizeof(T) == sizeof(R)) {
    to = bits_as<R>(value);
  } else if constexpr (std::is_integral_v<T>) {
    static_assert(sizeof(T) < sizeof(R) && std::is_integral_v<R>,
                  "a register of inline PTX is smaller than what its instruction gives");
    to = static_cast<R>(value);
  } else {
    static_assert(sizeof(T) < sizeof(R) && std::is_integral_v<R>,
                  "a register of inline PTX is smaller than what its instruction gives");
    to = bits_as<typename Word<sizeof(T)>::type>(value);
  }
}

/// An operand of the asm statement on its way in and out.
template <class R, class V>
WORKBOOK_SIM_INLINE auto take(const V& value) {
  using Plain = std::decay_t<V>;
  if constexpr (std::is_pointer_v<Plain>)
    return static_cast<R>(reinterpret_cast<std::uintptr_t>(static_cast<Plain>(value)));
  else
    return static_cast<R>(value);
}
template <class V, class R>
WORKBOOK_SIM_INLINE void give(V& to, R value) {
  if constexpr (std::is_pointer_v<V>)
    to = reinterpret_cast<V>(static_cast<std::uintptr_t>(value));
  else
    to = static_cast<std::remove_volatile_t<V>>(value);
}

// ---- ways of rounding

constexpr int mode_of(Round round) {
  switch (round) {
    case Round::rz:
    case Round::rzi:
      return FE_TOWARDZERO;
    case Round::rm:
    case Round::rmi:
      return FE_DOWNWARD;
    case Round::rp:
    case Round::rpi:
      return FE_UPWARD;
    default:
      return FE_TONEAREST;
  }
}
template <Round kRound, class T, class Operation>
WORKBOOK_SIM_INLINE auto rounded(T a, T b, T c, Operation operation) {
  if constexpr (kRound == Round::rn)
    return operation(a, b, c);
  else
    return in_rounding_mode<T>(mode_of(kRound), a, b, c, operation);
}
template <class T>
WORKBOOK_SIM_INLINE auto flush(T x) {
  if constexpr (std::is_same_v<T, f32>)
    return std::fabs(x) < std::numeric_limits<f32>::min() ? std::copysign(0.0f, x) : x;
  else
    return x;
}

}  // namespace workbook::sim::ptx
