// The DPX instructions: sums and extrema of three numbers, of 32 bits or of two of 16 in a word, and extrema
// that say which of their operands they took. The CUDA Math API has them in a chapter of that name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace workbook::sim {

/// Each half of a word, taken as T.
template <class T, class Operation>
inline unsigned int by_half(unsigned int a, unsigned int b, unsigned int c, Operation operation) {
  unsigned int result = 0;
  for (unsigned int shift = 0; shift < 32; shift += 16)
    result |= static_cast<unsigned int>(static_cast<std::uint16_t>(operation(
                  static_cast<T>(a >> shift), static_cast<T>(b >> shift), static_cast<T>(c >> shift))))
              << shift;
  return result;
}
/// As the hardware adds: what does not fit is cut off.
template <class T>
inline T wrapped_sum(T a, T b) {
  return static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

}  // namespace workbook::sim

// Of one expression over x, y and z of type T: the form for words, and the one for halves of words.
// Templates, so that a program compiles only what it calls (ptx.h).
#define WORKBOOK_SIM_DPX3(NAME, SUFFIX, TYPE, HALF, EXPRESSION)                               \
  template <class = void>                                                                     \
  inline TYPE NAME##32##SUFFIX(TYPE x, TYPE y, TYPE z) {                                      \
    using T = TYPE;                                                                           \
    return EXPRESSION;                                                                        \
  }                                                                                           \
  template <class = void>                                                                     \
  inline unsigned int NAME##16x2##SUFFIX(unsigned int a, unsigned int b, unsigned int c) {    \
    using T = HALF;                                                                           \
    return workbook::sim::by_half<T>(a, b, c, [](T x, T y, T z) -> T { return EXPRESSION; }); \
  }
#define WORKBOOK_SIM_DPX2(NAME, SUFFIX, TYPE, HALF, EXPRESSION)                             \
  template <class = void>                                                                   \
  inline TYPE NAME##32##SUFFIX(TYPE x, TYPE y) {                                            \
    using T = TYPE;                                                                         \
    return EXPRESSION;                                                                      \
  }                                                                                         \
  template <class = void>                                                                   \
  inline unsigned int NAME##16x2##SUFFIX(unsigned int a, unsigned int b) {                  \
    using T = HALF;                                                                         \
    return workbook::sim::by_half<T>(a, b, 0, [](T x, T y, T) -> T { return EXPRESSION; }); \
  }
#define WORKBOOK_SIM_DPX_CHOICE(NAME, TYPE, HALF, COMPARE)                                               \
  inline TYPE NAME##32(TYPE a, TYPE b, bool* first) {                                                    \
    *first = a COMPARE b;                                                                                \
    return *first ? a : b;                                                                               \
  }                                                                                                      \
  inline unsigned int NAME##16x2(unsigned int a, unsigned int b, bool* first_high, bool* first_low) {    \
    *first_high = static_cast<HALF>(a >> 16) COMPARE static_cast<HALF>(b >> 16);                         \
    *first_low = static_cast<HALF>(a) COMPARE static_cast<HALF>(b);                                      \
    return (*first_high ? a & 0xffff0000u : b & 0xffff0000u) | (*first_low ? a & 0xffffu : b & 0xffffu); \
  }
#define WORKBOOK_SIM_DPX(LETTER, SUFFIX, TYPE, HALF, LOW)                                              \
  WORKBOOK_SIM_DPX3(__viaddmax_##LETTER, SUFFIX, TYPE, HALF,                                           \
                    std::max(LOW, std::max(workbook::sim::wrapped_sum<T>(x, y), z)))                   \
  WORKBOOK_SIM_DPX3(__viaddmin_##LETTER, SUFFIX, TYPE, HALF,                                           \
                    std::max(LOW, std::min(workbook::sim::wrapped_sum<T>(x, y), z)))                   \
  WORKBOOK_SIM_DPX3(__vimax3_##LETTER, SUFFIX, TYPE, HALF, std::max(LOW, std::max(std::max(x, y), z))) \
  WORKBOOK_SIM_DPX3(__vimin3_##LETTER, SUFFIX, TYPE, HALF, std::max(LOW, std::min(std::min(x, y), z)))

WORKBOOK_SIM_DPX(s, , int, std::int16_t, std::numeric_limits<T>::min())
WORKBOOK_SIM_DPX(s, _relu, int, std::int16_t, T{0})
WORKBOOK_SIM_DPX(u, , unsigned int, std::uint16_t, T{0})
WORKBOOK_SIM_DPX2(__vimax_s, _relu, int, std::int16_t, std::max(T{0}, std::max(x, y)))
WORKBOOK_SIM_DPX2(__vimin_s, _relu, int, std::int16_t, std::max(T{0}, std::min(x, y)))
WORKBOOK_SIM_DPX_CHOICE(__vibmax_s, int, std::int16_t, >=)
WORKBOOK_SIM_DPX_CHOICE(__vibmin_s, int, std::int16_t, <=)
WORKBOOK_SIM_DPX_CHOICE(__vibmax_u, unsigned int, std::uint16_t, >=)
WORKBOOK_SIM_DPX_CHOICE(__vibmin_u, unsigned int, std::uint16_t, <=)

#undef WORKBOOK_SIM_DPX
#undef WORKBOOK_SIM_DPX2
#undef WORKBOOK_SIM_DPX3
#undef WORKBOOK_SIM_DPX_CHOICE
