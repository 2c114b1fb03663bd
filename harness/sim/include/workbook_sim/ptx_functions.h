// What instructions of inline PTX compute on integers and bits, by the names that
// harness/translate/ptx_table.cpp gives them; ptx_float.h and ptx_memory.h have the others. Source of what
// each does: PTX ISA 8.x, "Instruction Set".
#pragma once

#include "ptx_registers.h"
#include "simd_intrinsics.h"

namespace workbook::sim::ptx {

// ---- integers

template <class T>
WORKBOOK_SIM_INLINE auto add(T a, T b) {
  return static_cast<T>(static_cast<u64>(a) + static_cast<u64>(b));
}
template <class T>
WORKBOOK_SIM_INLINE auto sub(T a, T b) {
  return static_cast<T>(static_cast<u64>(a) - static_cast<u64>(b));
}
template <class T>
WORKBOOK_SIM_INLINE auto mul_lo(T a, T b) {
  return static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b));
}
template <class T>
WORKBOOK_SIM_INLINE auto mul_hi(T a, T b) {
  if constexpr (std::is_same_v<T, u64>)
    return static_cast<T>(__umul64hi(a, b));
  else if constexpr (std::is_same_v<T, s64>)
    return static_cast<T>(__mul64hi(a, b));
  else if constexpr (std::is_signed_v<T>)
    return static_cast<T>((static_cast<s64>(a) * b) >> (8 * sizeof(T)));
  else
    return static_cast<T>((static_cast<u64>(a) * b) >> (8 * sizeof(T)));
}
template <class T>
using Wider = std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, s64, u64>,
                                 std::conditional_t<std::is_signed_v<T>, s32, u32>>;
template <class T>
WORKBOOK_SIM_INLINE auto mul_wide(T a, T b) {
  return static_cast<Wider<T>>(static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b));
}
template <class T>
WORKBOOK_SIM_INLINE auto mad_lo(T a, T b, T c) {
  return add<T>(mul_lo<T>(a, b), c);
}
template <class T>
WORKBOOK_SIM_INLINE auto mad_hi(T a, T b, T c) {
  return add<T>(mul_hi<T>(a, b), c);
}
template <class T>
WORKBOOK_SIM_INLINE auto mad_wide(T a, T b, Wider<T> c) {
  return add<Wider<T>>(mul_wide<T>(a, b), c);
}
template <class T>
WORKBOOK_SIM_INLINE auto low24(T a) {
  return static_cast<s64>(std::is_signed_v<T> ? static_cast<s64>(static_cast<u64>(a) << 40) >> 40
                                              : static_cast<s64>(static_cast<u64>(a) & 0xffffffu));
}
template <class T>
WORKBOOK_SIM_INLINE auto mul24_lo(T a, T b) {
  return static_cast<T>(low24(a) * low24(b));
}
template <class T>
WORKBOOK_SIM_INLINE auto mul24_hi(T a, T b) {
  return static_cast<T>((low24(a) * low24(b)) >> 16);
}
template <class T>
WORKBOOK_SIM_INLINE auto mad24_lo(T a, T b, T c) {
  return add<T>(mul24_lo<T>(a, b), c);
}
/// By zero: all bits set, as GPUs answer.
template <class T>
WORKBOOK_SIM_INLINE auto div(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return sub<T>(0, a);
  return static_cast<T>(a / b);
}
template <class T>
WORKBOOK_SIM_INLINE auto rem(T a, T b) {
  if (b == 0) return a;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return T{0};
  return static_cast<T>(a % b);
}
template <class T>
WORKBOOK_SIM_INLINE auto abs(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fabs(a);
  else
    return a < 0 ? sub<T>(0, a) : a;
}
template <class T>
WORKBOOK_SIM_INLINE auto neg(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return -a;
  else
    return sub<T>(0, a);
}
template <class T>
WORKBOOK_SIM_INLINE auto min(T a, T b) {
  return a < b ? a : b;
}
template <class T>
WORKBOOK_SIM_INLINE auto max(T a, T b) {
  return a < b ? b : a;
}
template <class T>
WORKBOOK_SIM_INLINE auto sad(T a, T b, T c) {
  return add<T>(c, a < b ? sub<T>(b, a) : sub<T>(a, b));
}
template <class D, class V>
WORKBOOK_SIM_INLINE auto kept_in(V x) {
  using Limits = std::numeric_limits<D>;
  if (std::is_signed_v<V> && x < 0 &&
      (std::is_unsigned_v<D> || static_cast<s64>(x) < static_cast<s64>(Limits::min())))
    return Limits::min();
  if (x > 0 && static_cast<u64>(x) > static_cast<u64>(Limits::max())) return Limits::max();
  return static_cast<D>(x);
}
template <class T>
WORKBOOK_SIM_INLINE auto add_sat(T a, T b) {
  return kept_in<s32>(static_cast<s64>(a) + b);
}
template <class T>
WORKBOOK_SIM_INLINE auto sub_sat(T a, T b) {
  return kept_in<s32>(static_cast<s64>(a) - b);
}

// With a carry, which for a subtraction is a borrow.
template <class T>
WORKBOOK_SIM_INLINE auto addc(u32& carry, T a, T b) {
  using U = std::make_unsigned_t<T>;
  const U sum = static_cast<U>(static_cast<U>(a) + static_cast<U>(b)), all = static_cast<U>(sum + carry);
  carry = (sum < static_cast<U>(a)) | (all < sum);
  return static_cast<T>(all);
}
template <class T>
WORKBOOK_SIM_INLINE auto add_cc(u32& carry, T a, T b) {
  carry = 0;
  return addc<T>(carry, a, b);
}
template <class T>
WORKBOOK_SIM_INLINE auto subc(u32& carry, T a, T b) {
  using U = std::make_unsigned_t<T>;
  const U rest = static_cast<U>(static_cast<U>(a) - static_cast<U>(b)), all = static_cast<U>(rest - carry);
  carry = (static_cast<U>(a) < static_cast<U>(b)) | (rest < carry);
  return static_cast<T>(all);
}
template <class T>
WORKBOOK_SIM_INLINE auto sub_cc(u32& carry, T a, T b) {
  carry = 0;
  return subc<T>(carry, a, b);
}
template <class T>
WORKBOOK_SIM_INLINE auto madc_lo(u32& carry, T a, T b, T c) {
  return addc<T>(carry, mul_lo<T>(a, b), c);
}
template <class T>
WORKBOOK_SIM_INLINE auto madc_hi(u32& carry, T a, T b, T c) {
  return addc<T>(carry, mul_hi<T>(a, b), c);
}
template <class T>
WORKBOOK_SIM_INLINE auto mad_lo_cc(u32& carry, T a, T b, T c) {
  return add_cc<T>(carry, mul_lo<T>(a, b), c);
}
template <class T>
WORKBOOK_SIM_INLINE auto mad_hi_cc(u32& carry, T a, T b, T c) {
  return add_cc<T>(carry, mul_hi<T>(a, b), c);
}

// ---- bits

template <class T>
WORKBOOK_SIM_INLINE auto bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
WORKBOOK_SIM_INLINE auto bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
WORKBOOK_SIM_INLINE auto bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
WORKBOOK_SIM_INLINE auto bit_not(T a) {
  if constexpr (std::is_same_v<T, pred>)
    return !a;
  else
    return static_cast<T>(~a);
}
template <class T>
WORKBOOK_SIM_INLINE auto cnot(T a) {
  return static_cast<T>(a == 0 ? 1 : 0);
}
/// Bit i of the table is the result where the bits of a, b and c are those of i, a's the highest.
template <class T>
WORKBOOK_SIM_INLINE auto lop3(T a, T b, T c, unsigned int table) {
  T out = 0;
  for (unsigned int i = 0; i < 8; ++i)
    if (table >> i & 1u) out |= (i & 4u ? a : ~a) & (i & 2u ? b : ~b) & (i & 1u ? c : ~c);
  return out;
}
template <class T>
inline constexpr u32 kBits = 8 * sizeof(T);
template <class T>
WORKBOOK_SIM_INLINE auto shl(T a, u32 by) {
  return by >= kBits<T> ? T{0} : static_cast<T>(static_cast<u64>(a) << by);
}
template <class T>
WORKBOOK_SIM_INLINE auto shr(T a, u32 by) {
  return by >= kBits<T> ? (a < 0 ? static_cast<T>(-1) : T{0}) : static_cast<T>(a >> by);
}
template <class T>
WORKBOOK_SIM_INLINE auto shf_l_wrap(T low, T high, u32 by) {
  return __funnelshift_l(low, high, by);
}
template <class T>
WORKBOOK_SIM_INLINE auto shf_l_clamp(T low, T high, u32 by) {
  return __funnelshift_lc(low, high, by);
}
template <class T>
WORKBOOK_SIM_INLINE auto shf_r_wrap(T low, T high, u32 by) {
  return __funnelshift_r(low, high, by);
}
template <class T>
WORKBOOK_SIM_INLINE auto shf_r_clamp(T low, T high, u32 by) {
  return __funnelshift_rc(low, high, by);
}
/// `count` bits of a from bit `at` on, filled up with the highest of them where T has a sign.
template <class T>
WORKBOOK_SIM_INLINE auto bfe(T a, u32 at, u32 count) {
  at &= 0xffu;
  count &= 0xffu;
  using U = std::make_unsigned_t<T>;
  if (count == 0) return T{0};
  const u32 there = at >= kBits<T> ? 0 : min<u32>(count, kBits<T> - at);
  U out = there == 0 ? U{0} : static_cast<U>(static_cast<U>(a) >> at);
  if (there < kBits<T>) out &= static_cast<U>((u64{1} << there) - 1);
  const u32 top = min<u32>(at + count - 1, kBits<T> - 1);
  if (std::is_signed_v<T> && (static_cast<U>(a) >> top & 1u) != 0 && there < kBits<T>)
    out |= static_cast<U>(~u64{0} << there);
  return static_cast<T>(out);
}
/// b with `count` bits of a in place of its own from bit `at` on.
template <class T>
WORKBOOK_SIM_INLINE auto bfi(T a, T b, u32 at, u32 count) {
  at &= 0xffu;
  count &= 0xffu;
  if (at >= kBits<T> || count == 0) return b;
  const T ones = count >= kBits<T> ? ~T{0} : static_cast<T>((u64{1} << count) - 1);
  const T mask = static_cast<T>(ones << at);
  return static_cast<T>((b & ~mask) | (static_cast<T>(a << at) & mask));
}
template <class T>
WORKBOOK_SIM_INLINE auto bmsk_clamp(u32 at, u32 count) {
  return at >= 32 ? T{0} : static_cast<T>((count >= 32 ? ~u64{0} : (u64{1} << count) - 1) << at);
}
/// The highest bit that is not the sign; all ones where there is none.
template <class T>
WORKBOOK_SIM_INLINE auto bfind(T a) {
  using U = std::make_unsigned_t<T>;
  const U bits = static_cast<U>(std::is_signed_v<T> && a < 0 ? ~a : a);
  return bits == 0 ? ~u32{0} : 63u - static_cast<u32>(__clzll(static_cast<s64>(u64{bits})));
}
template <class T>
WORKBOOK_SIM_INLINE auto bfind_shiftamt(T a) {
  const u32 at = bfind<T>(a);
  return at == ~u32{0} ? at : kBits<T> - 1 - at;
}
template <class T>
WORKBOOK_SIM_INLINE auto popc(T a) {
  return static_cast<u32>(__popcll(a));
}
template <class T>
WORKBOOK_SIM_INLINE auto clz(T a) {
  return static_cast<u32>(__clzll(static_cast<s64>(u64{a}))) - (64 - kBits<T>);
}
template <class T>
WORKBOOK_SIM_INLINE auto brev(T a) {
  return static_cast<T>(__brevll(a) >> (64 - kBits<T>));
}
template <class T>
WORKBOOK_SIM_INLINE auto fns(u32 mask, u32 base, u32 offset) {
  return __fns(mask, base, static_cast<s32>(offset));
}
template <class T>
WORKBOOK_SIM_INLINE auto prmt(T a, T b, u32 selector) {
  return __byte_perm(a, b, selector);
}
template <class A, class B>
WORKBOOK_SIM_INLINE auto dp4a(A a, B b, u32 c) {
  using X = std::conditional_t<std::is_signed_v<A>, s8, u8>;
  using Y = std::conditional_t<std::is_signed_v<B>, s8, u8>;
  return static_cast<u32>(
      packed_dot<X, Y>(static_cast<u32>(a), static_cast<u32>(b), 0, 4, static_cast<s64>(c)));
}
template <class A, class B, class C>
WORKBOOK_SIM_INLINE auto vabsdiff4(A a, A b, A) {
  return __vabsdiffu4(a, b);
}
template <class A, class B, class C>
WORKBOOK_SIM_INLINE auto vabsdiff4_add(A a, A b, A c) {
  return __vsadu4(a, b) + c;
}

// ---- comparing

#define WORKBOOK_PTX_COMPARE(NAME, EXPRESSION)        \
  template <class T>                                  \
  WORKBOOK_SIM_INLINE auto compare_##NAME(T a, T b) { \
    return static_cast<bool>(EXPRESSION);             \
  }
WORKBOOK_PTX_COMPARE(eq, a == b)
WORKBOOK_PTX_COMPARE(ne, a < b || b < a)  // ordered: not of NaN
WORKBOOK_PTX_COMPARE(lt, a < b)
WORKBOOK_PTX_COMPARE(le, a <= b)
WORKBOOK_PTX_COMPARE(gt, a > b)
WORKBOOK_PTX_COMPARE(ge, a >= b)
WORKBOOK_PTX_COMPARE(lo, a < b)
WORKBOOK_PTX_COMPARE(ls, a <= b)
WORKBOOK_PTX_COMPARE(hi, a > b)
WORKBOOK_PTX_COMPARE(hs, a >= b)
WORKBOOK_PTX_COMPARE(equ, !(a < b || b < a))
WORKBOOK_PTX_COMPARE(neu, !(a == b))
WORKBOOK_PTX_COMPARE(ltu, !(a >= b))
WORKBOOK_PTX_COMPARE(leu, !(a > b))
WORKBOOK_PTX_COMPARE(gtu, !(a <= b))
WORKBOOK_PTX_COMPARE(geu, !(a < b))
WORKBOOK_PTX_COMPARE(num, a == a && b == b)
WORKBOOK_PTX_COMPARE(nan, !(a == a && b == b))
#undef WORKBOOK_PTX_COMPARE

/// set: true is 1.0 or all ones.
#define WORKBOOK_PTX_SET(NAME)                                                                \
  template <class D, class T>                                                                 \
  WORKBOOK_SIM_INLINE auto set_##NAME(T a, T b) {                                             \
    return compare_##NAME(a, b) ? static_cast<D>(std::is_floating_point_v<D> ? 1 : -1) : D{}; \
  }
WORKBOOK_PTX_SET(eq)
WORKBOOK_PTX_SET(ne)
WORKBOOK_PTX_SET(lt)
WORKBOOK_PTX_SET(le)
WORKBOOK_PTX_SET(gt)
WORKBOOK_PTX_SET(ge)
#undef WORKBOOK_PTX_SET
template <class T>
WORKBOOK_SIM_INLINE auto selp(T a, T b, pred choice) {
  return choice ? a : b;
}
template <class T, class C>
WORKBOOK_SIM_INLINE auto slct(T a, T b, C choice) {
  return choice >= 0 ? a : b;
}

}  // namespace workbook::sim::ptx
