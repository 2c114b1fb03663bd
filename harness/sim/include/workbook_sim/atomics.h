// Atomic read-modify-write. The engine tells them from plain accesses: an atomic and a plain access to one
// word is a race. They are yield points.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

extern "C" {
/// Called before the operation: bounds, alignment, race and counters. Leaves the thread when the address is
/// bad.
void workbook_sim_before_atomic(void* address, std::size_t bytes);
void workbook_sim_after_atomic(void* address);
}

namespace workbook::sim {

template <std::size_t kBytes>
struct Word;
template <>
struct Word<2> {
  using type = std::uint16_t;
};
template <>
struct Word<4> {
  using type = std::uint32_t;
};
template <>
struct Word<8> {
  using type = std::uint64_t;
};

/// *address = change(*address), as one step even when blocks run on several cores; returns the old value.
template <class T, class Change>
inline __attribute__((always_inline)) T atomic_update(T* address, Change change) {
  workbook_sim_before_atomic(address, sizeof(T));
  using Bits = typename Word<sizeof(T)>::type;
  typedef Bits Alias __attribute__((may_alias));
  auto* word = reinterpret_cast<Alias*>(address);
  const auto replace = [&]() __attribute__((no_sanitize("thread"))) {
    Bits seen = *reinterpret_cast<volatile Alias*>(word);
    for (;;) {
      const Bits wanted = std::bit_cast<Bits>(change(std::bit_cast<T>(seen)));
      const Bits found = __sync_val_compare_and_swap(word, seen, wanted);
      if (found == seen) return std::bit_cast<T>(seen);
      seen = found;
    }
  };
  const T before = replace();
  workbook_sim_after_atomic(address);
  return before;
}

}  // namespace workbook::sim

#define WORKBOOK_SIM_ATOMIC(NAME, EXPRESSION)                                                        \
  template <class T>                                                                                 \
  inline __attribute__((always_inline)) T NAME(T* address, std::type_identity_t<T> value) {          \
    return workbook::sim::atomic_update(address, [value](T old) -> T { return EXPRESSION; });        \
  }                                                                                                  \
  template <class T>                                                                                 \
  inline __attribute__((always_inline)) T NAME##_block(T* address, std::type_identity_t<T> value) {  \
    return NAME(address, value);                                                                     \
  }                                                                                                  \
  template <class T>                                                                                 \
  inline __attribute__((always_inline)) T NAME##_system(T* address, std::type_identity_t<T> value) { \
    return NAME(address, value);                                                                     \
  }

WORKBOOK_SIM_ATOMIC(atomicAdd, static_cast<T>(old + value))
WORKBOOK_SIM_ATOMIC(atomicSub, static_cast<T>(old - value))
WORKBOOK_SIM_ATOMIC(atomicExch, ((void)old, value))
WORKBOOK_SIM_ATOMIC(atomicMin, old < value ? old : value)
WORKBOOK_SIM_ATOMIC(atomicMax, old > value ? old : value)
WORKBOOK_SIM_ATOMIC(atomicAnd, static_cast<T>(old& value))
WORKBOOK_SIM_ATOMIC(atomicOr, static_cast<T>(old | value))
WORKBOOK_SIM_ATOMIC(atomicXor, static_cast<T>(old ^ value))
WORKBOOK_SIM_ATOMIC(atomicInc, old >= value ? T{0} : old + 1)
WORKBOOK_SIM_ATOMIC(atomicDec, (old == 0 || old > value) ? value : old - 1)
#undef WORKBOOK_SIM_ATOMIC

template <class T>
inline __attribute__((always_inline)) T atomicCAS(T* address, std::type_identity_t<T> compare,
                                                  std::type_identity_t<T> value) {
  return workbook::sim::atomic_update(address, [=](T old) -> T { return old == compare ? value : old; });
}
