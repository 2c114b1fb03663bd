// SIMD intrinsics of the CUDA Math API: two halfwords or four bytes in a word, each computed alone.
#pragma once

#include <cstdint>
#include <limits>

namespace workbook::sim {

/// change(a, b) of each pair of elements that the words hold, wrapped to the element's size.
template <class Element, class Change>
inline auto by_element(unsigned int a, unsigned int b, Change change) {
  constexpr unsigned int kBits = 8 * sizeof(Element);
  constexpr unsigned int kMask = (1u << kBits) - 1u;
  unsigned int result = 0;
  for (unsigned int shift = 0; shift < 32; shift += kBits) {
    const int x = static_cast<Element>(a >> shift), y = static_cast<Element>(b >> shift);
    result |= (static_cast<unsigned int>(change(x, y)) & kMask) << shift;
  }
  return result;
}

template <class Element>
inline int saturated(int x) {
  constexpr int kLeast = std::numeric_limits<Element>::min(), kMost = std::numeric_limits<Element>::max();
  return x < kLeast ? kLeast : x > kMost ? kMost : x;
}

}  // namespace workbook::sim

#define WORKBOOK_SIM_SIMD2(NAME, ELEMENT, EXPRESSION)                                         \
  inline unsigned int NAME(unsigned int a, unsigned int b) {                                  \
    using Element = ELEMENT;                                                                  \
    return workbook::sim::by_element<Element>(a, b, [](int x, int y) { return EXPRESSION; }); \
  }
#define WORKBOOK_SIM_SIMD1(NAME, ELEMENT, EXPRESSION)                                       \
  inline unsigned int NAME(unsigned int a) {                                                \
    using Element = ELEMENT;                                                                \
    return workbook::sim::by_element<Element>(a, 0, [](int x, int) { return EXPRESSION; }); \
  }
// kCount elements of the signed type S or the unsigned type U.
#define WORKBOOK_SIM_SIMD(COUNT, S, U)                                                                \
  WORKBOOK_SIM_SIMD1(__vabs##COUNT, S, x < 0 ? -x : x)                                                \
  WORKBOOK_SIM_SIMD1(__vabsss##COUNT, S, workbook::sim::saturated<Element>(x < 0 ? -x : x))           \
  WORKBOOK_SIM_SIMD1(__vneg##COUNT, S, -x)                                                            \
  WORKBOOK_SIM_SIMD1(__vnegss##COUNT, S, workbook::sim::saturated<Element>(-x))                       \
  WORKBOOK_SIM_SIMD2(__vadd##COUNT, U, x + y)                                                         \
  WORKBOOK_SIM_SIMD2(__vaddss##COUNT, S, workbook::sim::saturated<Element>(x + y))                    \
  WORKBOOK_SIM_SIMD2(__vaddus##COUNT, U, workbook::sim::saturated<Element>(x + y))                    \
  WORKBOOK_SIM_SIMD2(__vsub##COUNT, U, x - y)                                                         \
  WORKBOOK_SIM_SIMD2(__vsubss##COUNT, S, workbook::sim::saturated<Element>(x - y))                    \
  WORKBOOK_SIM_SIMD2(__vsubus##COUNT, U, workbook::sim::saturated<Element>(x - y))                    \
  WORKBOOK_SIM_SIMD2(__vabsdiffs##COUNT, S, x > y ? x - y : y - x)                                    \
  WORKBOOK_SIM_SIMD2(__vabsdiffu##COUNT, U, x > y ? x - y : y - x)                                    \
  WORKBOOK_SIM_SIMD2(__vavgs##COUNT, S, (x + y + (x + y >= 0)) >> 1)                                  \
  WORKBOOK_SIM_SIMD2(__vavgu##COUNT, U, (x + y + 1) >> 1)                                             \
  WORKBOOK_SIM_SIMD2(__vhaddu##COUNT, U, (x + y) >> 1)                                                \
  WORKBOOK_SIM_SIMD2(__vmaxs##COUNT, S, x > y ? x : y)                                                \
  WORKBOOK_SIM_SIMD2(__vmaxu##COUNT, U, x > y ? x : y)                                                \
  WORKBOOK_SIM_SIMD2(__vmins##COUNT, S, x < y ? x : y)                                                \
  WORKBOOK_SIM_SIMD2(__vminu##COUNT, U, x < y ? x : y)                                                \
  WORKBOOK_SIM_SIMD_COMPARE(eq##COUNT, U, x == y)                                                     \
  WORKBOOK_SIM_SIMD_COMPARE(ne##COUNT, U, x != y)                                                     \
  WORKBOOK_SIM_SIMD_COMPARE(ges##COUNT, S, x >= y)                                                    \
  WORKBOOK_SIM_SIMD_COMPARE(geu##COUNT, U, x >= y)                                                    \
  WORKBOOK_SIM_SIMD_COMPARE(gts##COUNT, S, x > y)                                                     \
  WORKBOOK_SIM_SIMD_COMPARE(gtu##COUNT, U, x > y)                                                     \
  WORKBOOK_SIM_SIMD_COMPARE(les##COUNT, S, x <= y)                                                    \
  WORKBOOK_SIM_SIMD_COMPARE(leu##COUNT, U, x <= y)                                                    \
  WORKBOOK_SIM_SIMD_COMPARE(lts##COUNT, S, x < y)                                                     \
  WORKBOOK_SIM_SIMD_COMPARE(ltu##COUNT, U, x < y)                                                     \
  inline unsigned int __vsads##COUNT(unsigned int a, unsigned int b) {                                \
    unsigned int sum = 0;                                                                             \
    workbook::sim::by_element<S>(                                                                     \
        a, b, [&](int x, int y) { return sum += static_cast<unsigned int>(x > y ? x - y : y - x); }); \
    return sum;                                                                                       \
  }                                                                                                   \
  inline unsigned int __vsadu##COUNT(unsigned int a, unsigned int b) {                                \
    unsigned int sum = 0;                                                                             \
    workbook::sim::by_element<U>(                                                                     \
        a, b, [&](int x, int y) { return sum += static_cast<unsigned int>(x > y ? x - y : y - x); }); \
    return sum;                                                                                       \
  }
// A comparison has two forms: all bits of the element, or the lowest one.
#define WORKBOOK_SIM_SIMD_COMPARE(NAME, ELEMENT, EXPRESSION)     \
  WORKBOOK_SIM_SIMD2(__vcmp##NAME, ELEMENT, EXPRESSION ? ~0 : 0) \
  WORKBOOK_SIM_SIMD2(__vset##NAME, ELEMENT, EXPRESSION ? 1 : 0)

WORKBOOK_SIM_SIMD(2, std::int16_t, std::uint16_t)
WORKBOOK_SIM_SIMD(4, std::int8_t, std::uint8_t)
#undef WORKBOOK_SIM_SIMD
#undef WORKBOOK_SIM_SIMD1
#undef WORKBOOK_SIM_SIMD2
#undef WORKBOOK_SIM_SIMD_COMPARE
