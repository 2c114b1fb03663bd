// What the rewriter (harness/translate/arithmetic.h) makes of shifts and casts in device code: a GPU shifts
// all bits out where the count is the width of the type or more, and a number that an integer type cannot
// hold becomes the nearest that it can; not-a-number becomes 0, and where either type has 64 bits only the
// highest bit is set.
#pragma once

#include <limits>
#include <type_traits>

#include "attributes.h"

extern "C" {
/// A number of so many bits is shifted by `count`, which leaves `left`.
void workbook_sim_shifted_out(long long count, unsigned int bits, long long left);
/// Inline PTX reads its operand of that number before it has a value.
void workbook_sim_output_read(unsigned int operand);
}

namespace workbook::sim {

template <class T>
inline constexpr bool is_count = std::is_integral_v<T> ||
                                 (std::is_enum_v<T> && std::is_convertible_v<T, int>);

/// A number of bits to shift by.
template <class T>
struct ShiftBy {
  T count;
  constexpr operator T() const { return count; }
};
struct By {};
inline constexpr By by{};

/// What is no integer, a user's own type, stays what it is.
template <class T>
constexpr WORKBOOK_SIM_INLINE auto operator*(By, T count) {
  if constexpr (is_count<T>)
    return ShiftBy<decltype(+count)>{+count};
  else
    return count;
}

// `x << a + b` shifts by the sum: what binds tighter than a shift.
#define WORKBOOK_SIM_COUNT(OP)                                        \
  template <class T, class U>                                         \
  requires is_count<U>                                                \
  constexpr WORKBOOK_SIM_INLINE auto operator OP(ShiftBy<T> a, U b) { \
    return ShiftBy<decltype(a.count OP b)>{a.count OP b};             \
  }
WORKBOOK_SIM_COUNT(+)
WORKBOOK_SIM_COUNT(-)
WORKBOOK_SIM_COUNT(*)
WORKBOOK_SIM_COUNT(/)
WORKBOOK_SIM_COUNT(%)
#undef WORKBOOK_SIM_COUNT

/// The hardware looks at the count as a number without sign.
template <class W, class T>
constexpr WORKBOOK_SIM_INLINE bool shifts_all_out(T count) {
  return static_cast<std::make_unsigned_t<T>>(count) >= sizeof(W) * 8;
}

template <class W, class T>
constexpr WORKBOOK_SIM_INLINE W shifted_out(T count, W left) {
  if (!__builtin_is_constant_evaluated())
    workbook_sim_shifted_out(static_cast<long long>(count), sizeof(W) * 8, static_cast<long long>(left));
  return left;
}

template <class T, class U>
requires is_count<T>
constexpr WORKBOOK_SIM_INLINE auto operator<<(T x, ShiftBy<U> by_) -> decltype(+x) {
  using Wide = decltype(+x);
  if (shifts_all_out<Wide>(by_.count)) return shifted_out(by_.count, Wide{0});
  return static_cast<Wide>(static_cast<std::make_unsigned_t<Wide>>(+x) << by_.count);
}
template <class T, class U>
requires is_count<T>
constexpr WORKBOOK_SIM_INLINE auto operator>>(T x, ShiftBy<U> by_) -> decltype(+x) {
  using Wide = decltype(+x);
  if (shifts_all_out<Wide>(by_.count))
    return shifted_out(by_.count, +x < 0 ? static_cast<Wide>(-1) : Wide{0});
  return +x >> by_.count;
}
template <class T, class U>
requires is_count<T>
constexpr WORKBOOK_SIM_INLINE T& operator<<=(T& x, ShiftBy<U> by_) {
  x = static_cast<T>(x << by_);
  return x;
}
template <class T, class U>
requires is_count<T>
constexpr WORKBOOK_SIM_INLINE T& operator>>=(T& x, ShiftBy<U> by_) {
  x = static_cast<T>(x >> by_);
  return x;
}

/// The nearest integer towards 0 that the type holds.
template <class To, class From>
constexpr WORKBOOK_SIM_INLINE To saturated(From x) {
  using Limits = std::numeric_limits<To>;
  constexpr From kEnd = static_cast<From>(Limits::max() / 2 + 1) * 2;  // one past the largest
  constexpr bool kIs64 = sizeof(To) == 8 || sizeof(From) == 8;
  if (x != x) return kIs64 ? static_cast<To>(std::make_unsigned_t<To>{1} << (sizeof(To) * 8 - 1)) : To{0};
  if (x >= kEnd) return Limits::max();
  if (x <= static_cast<From>(Limits::min())) return Limits::min();
  return static_cast<To>(x);
}

/// (To)x as a GPU has it.
template <class To, class From>
constexpr WORKBOOK_SIM_INLINE To to(From x) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>) {
    using Wide =
        std::conditional_t<sizeof(To) == 8, To, std::conditional_t<std::is_signed_v<To>, int, unsigned>>;
    return static_cast<To>(saturated<Wide>(x));
  } else if constexpr (std::is_pointer_v<From>) {
    return reinterpret_cast<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace workbook::sim
