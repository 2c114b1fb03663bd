// Bytes around an array of a thread's own that no access may touch: what hands the array's address on hides
// its size from the compiler. Programs alone have them (harness/translate/local_arrays.h), built by g++,
// which lets them be written untraced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "attributes.h"

namespace workbook::sim {

// In memory: head, name, size of an element, size of the array, a zone; the array; a zone, the head's
// complement, size of the array. The first is a multiple of what most arrays are aligned to.
inline constexpr std::uint8_t kRedByte = 0xe7;
inline constexpr std::uint64_t kRedWord = 0x0101010101010101u * kRedByte, kRedHead = 0x6e6f2d6172726179u;
inline constexpr std::size_t kRedWords = 4, kRedBytes = kRedWords * sizeof kRedWord;

#if WORKBOOK_SIM_IS_TRACED && !defined(__clang__)

/// No alignment of its own, so that a zone begins where its array ends.
using RedField [[gnu::aligned(1)]] = std::uint64_t;

/// A store that is not traced: the compiler looks into no asm statement.
WORKBOOK_SIM_INLINE void store_untraced(RedField& place, std::uint64_t value) {
  asm("" : "=r"(place) : "0"(value));
}

struct RedZone {
  RedField word[kRedWords];

  WORKBOOK_SIM_INLINE RedZone() {}
  RedZone(const RedZone&) = delete;
  RedZone& operator=(const RedZone&) = delete;
  WORKBOOK_SIM_INLINE ~RedZone() {
    fill(0);
    asm volatile("" ::: "memory");  // what comes to lie there is no red zone
  }
  WORKBOOK_SIM_INLINE void fill(std::uint64_t with) {
    store_untraced(word[0], with);
    store_untraced(word[1], with);
    store_untraced(word[2], with);
    store_untraced(word[3], with);
  }
};

struct RedBefore {
  RedField head, name, element, bytes;
  RedZone zone;
  WORKBOOK_SIM_INLINE RedBefore() {}
};
struct RedAfter {
  RedZone zone;
  RedField head, bytes;
  WORKBOOK_SIM_INLINE RedAfter() {}
};

template <class Fenced, class Array>
WORKBOOK_SIM_INLINE Array& fence(Fenced& fenced, Array& array, const char* name) {
  RedBefore& before = fenced.workbook_before;
  RedAfter& after = fenced.workbook_after;
  store_untraced(before.head, kRedHead);
  store_untraced(before.name, reinterpret_cast<std::uintptr_t>(name));
  store_untraced(before.element, sizeof(std::remove_all_extents_t<Array>));
  store_untraced(before.bytes, sizeof(Array));
  before.zone.fill(kRedWord);
  after.zone.fill(kRedWord);
  store_untraced(after.head, ~kRedHead);
  store_untraced(after.bytes, sizeof(Array));
  // Functions that are inlined have their accesses traced, too.
  asm volatile("" ::"r"(&array) : "memory");
  return array;
}

#define WORKBOOK_SIM_FENCE \
  struct {                 \
    ::workbook::sim::RedBefore workbook_before;
#define WORKBOOK_SIM_FENCED_VARIABLE(NAME)  \
  ;                                         \
  ::workbook::sim::RedAfter workbook_after; \
  }                                         \
  workbook_fenced_##NAME
#define WORKBOOK_SIM_FENCED_NAME(NAME) \
  ;                                    \
  auto& NAME = ::workbook::sim::fence(workbook_fenced_##NAME, workbook_fenced_##NAME.NAME, #NAME)
#define WORKBOOK_SIM_FENCED(NAME) WORKBOOK_SIM_FENCED_VARIABLE(NAME) WORKBOOK_SIM_FENCED_NAME(NAME)
#define WORKBOOK_SIM_FENCED_AS(NAME) WORKBOOK_SIM_FENCED_VARIABLE(NAME) = {{},
#define WORKBOOK_SIM_FENCED_END(NAME) \
  , {}                                \
  }                                   \
  WORKBOOK_SIM_FENCED_NAME(NAME)

#else

#define WORKBOOK_SIM_FENCE
#define WORKBOOK_SIM_FENCED(NAME)
#define WORKBOOK_SIM_FENCED_AS(NAME) =
#define WORKBOOK_SIM_FENCED_END(NAME)

#endif

}  // namespace workbook::sim
