// Atomic read-modify-write. The engine tells them from plain accesses: an atomic and a plain access to one
// word is a race. They are yield points. The types are those of the CUDA C++ Programming Guide, "Atomic
// Functions": atomicAdd on long long does not compile on a GPU either. Those of half and bfloat16 are in
// cuda_fp16.h and cuda_bf16.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "attributes.h"
#include "vector_types.h"

extern "C" {
/// Called before the operation: bounds, alignment, race and counters. Leaves the thread when the address is
/// bad. `how`: some of the bits below.
void workbook_sim_before_atomic(void* address, std::size_t bytes, unsigned int how);
void workbook_sim_after_atomic(void* address, unsigned int how);
}

namespace workbook::sim {

/// Of the scope of the thread's block: for others it is no atomic. Without this bit: of the device.
inline constexpr unsigned int kBlockScope = 1;
/// What comes later, or came before, is ordered by it; without them it is relaxed.
inline constexpr unsigned int kAcquires = 2, kReleases = 4;
/// It changes nothing, or does not look at what was there.
inline constexpr unsigned int kLoads = 8, kStores = 16;
/// It replaces what was there, whatever that was, by something that may be right for some of it alone.
inline constexpr unsigned int kReplaces = 32;
/// It stores only where it finds what its thread has read before: others may have stored meanwhile.
inline constexpr unsigned int kCompares = 64;
/// It orders an int below 0, in whose bits a float may lie: these have the other order there.
inline constexpr unsigned int kBelowZero = 128;

}  // namespace workbook::sim

namespace workbook::sim {

template <std::size_t kBytes>
struct Word;
template <>
struct Word<1> {
  using type = std::uint8_t;
};
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

/// std::bit_cast, also for vector types, which clang does not take for trivially copyable.
template <class To, class From>
WORKBOOK_SIM_INLINE auto bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(To));
  return to;
}

template <class Bits>
WORKBOOK_SIM_UNTRACED Bits load_relaxed(const void* address) {
  typedef Bits Alias __attribute__((may_alias));
  return __atomic_load_n(static_cast<const Alias*>(address), __ATOMIC_RELAXED);
}

/// The bits at `address` if they were `seen`, which `wanted` then replaces; else what stood there.
template <class Bits>
WORKBOOK_SIM_UNTRACED Bits compare_and_swap(void* address, Bits seen, Bits wanted) {
  typedef Bits Alias __attribute__((may_alias));
  return __sync_val_compare_and_swap(static_cast<Alias*>(address), seen, wanted);
}

/// *address = change(*address), as one step even when blocks run on several cores; returns the old value.
template <class T, class Change>
WORKBOOK_SIM_INLINE auto atomic_update(T* address, Change change, unsigned int how = 0) {
  workbook_sim_before_atomic(address, sizeof(T), how);
  using Bits = typename Word<sizeof(T)>::type;
  Bits seen = load_relaxed<Bits>(address);
  for (;;) {
    const Bits wanted = bits_as<Bits>(change(bits_as<T>(seen)));
    const Bits found = compare_and_swap<Bits>(address, seen, wanted);
    if (found == seen) break;
    seen = found;
  }
  workbook_sim_after_atomic(address, how);
  return bits_as<T>(seen);
}

template <class T, class... Types>
concept OneOf = (std::same_as<T, Types> || ...);

template <class T>
concept AtomicAddable = OneOf<T, int, unsigned int, unsigned long long, float, double>;
template <class T>
concept AtomicSubtractable = OneOf<T, int, unsigned int>;
template <class T>
concept AtomicExchangeable = OneOf<T, int, unsigned int, unsigned long long, float>;
template <class T>
concept AtomicOrdered = OneOf<T, int, unsigned int, unsigned long long, long long>;
template <class T>
concept AtomicBits = OneOf<T, int, unsigned int, unsigned long long>;
template <class T>
concept AtomicCounter = OneOf<T, unsigned int>;
template <class T>
constexpr unsigned int below_zero(T value) {
  return std::same_as<T, int> && value < 0 ? kBelowZero : 0u;
}
template <class T>
concept AtomicComparable = OneOf<T, int, unsigned int, unsigned long long, unsigned short>;

}  // namespace workbook::sim

#define WORKBOOK_SIM_ATOMIC_OF_SCOPE(NAME, TYPES, EXPRESSION, HOW)        \
  template <workbook::sim::TYPES T>                                       \
  WORKBOOK_SIM_INLINE T NAME(T* address, std::type_identity_t<T> value) { \
    return workbook::sim::atomic_update(                                  \
        address, [value](T old) -> T { return EXPRESSION; }, HOW);        \
  }
#define WORKBOOK_SIM_ATOMIC_LIKE(NAME, TYPES, EXPRESSION, HOW)                                      \
  WORKBOOK_SIM_ATOMIC_OF_SCOPE(NAME, TYPES, EXPRESSION, HOW)                                        \
  WORKBOOK_SIM_ATOMIC_OF_SCOPE(NAME##_block, TYPES, EXPRESSION, (HOW) | workbook::sim::kBlockScope) \
  WORKBOOK_SIM_ATOMIC_OF_SCOPE(NAME##_system, TYPES, EXPRESSION, HOW)
#define WORKBOOK_SIM_ATOMIC(NAME, TYPES, EXPRESSION) WORKBOOK_SIM_ATOMIC_LIKE(NAME, TYPES, EXPRESSION, 0u)

WORKBOOK_SIM_ATOMIC(atomicAdd, AtomicAddable, static_cast<T>(old + value))
WORKBOOK_SIM_ATOMIC(atomicSub, AtomicSubtractable, static_cast<T>(old - value))
// A value that is always the same, as in `if (!seen[i] && atomicExch(&seen[i], 1) == 0)`, is right for all.
WORKBOOK_SIM_ATOMIC_LIKE(atomicExch, AtomicExchangeable, ((void)old, value),
                         __builtin_constant_p(value) ? 0u : workbook::sim::kReplaces)
WORKBOOK_SIM_ATOMIC_LIKE(atomicMin, AtomicOrdered, old < value ? old : value,
                         workbook::sim::below_zero(value))
WORKBOOK_SIM_ATOMIC_LIKE(atomicMax, AtomicOrdered, old > value ? old : value,
                         workbook::sim::below_zero(value))
WORKBOOK_SIM_ATOMIC(atomicAnd, AtomicBits, static_cast<T>(old& value))
WORKBOOK_SIM_ATOMIC(atomicOr, AtomicBits, static_cast<T>(old | value))
WORKBOOK_SIM_ATOMIC(atomicXor, AtomicBits, static_cast<T>(old ^ value))
WORKBOOK_SIM_ATOMIC(atomicInc, AtomicCounter, old >= value ? T{0} : old + 1)
WORKBOOK_SIM_ATOMIC(atomicDec, AtomicCounter, (old == 0 || old > value) ? value : old - 1)
#undef WORKBOOK_SIM_ATOMIC
#undef WORKBOOK_SIM_ATOMIC_LIKE
#undef WORKBOOK_SIM_ATOMIC_OF_SCOPE

template <workbook::sim::AtomicComparable T>
WORKBOOK_SIM_INLINE T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  return workbook::sim::atomic_update(
      address, [=](T old) -> T { return old == compare ? value : old; }, workbook::sim::kCompares);
}
template <workbook::sim::AtomicComparable T>
WORKBOOK_SIM_INLINE T atomicCAS_block(T* address, std::type_identity_t<T> compare,
                                      std::type_identity_t<T> value) {
  return workbook::sim::atomic_update(
      address, [=](T old) -> T { return old == compare ? value : old; },
      workbook::sim::kCompares | workbook::sim::kBlockScope);
}
template <workbook::sim::AtomicComparable T>
WORKBOOK_SIM_INLINE T atomicCAS_system(T* address, std::type_identity_t<T> compare,
                                       std::type_identity_t<T> value) {
  return atomicCAS(address, compare, value);
}

// Compute capability 9.0: each element is added atomically, the vector as a whole is not.
WORKBOOK_SIM_INLINE float2 atomicAdd(float2* address, float2 value) {
  const float x = atomicAdd(&address->x, value.x);
  return {x, atomicAdd(&address->y, value.y)};
}
WORKBOOK_SIM_INLINE float4 atomicAdd(float4* address, float4 value) {
  const float x = atomicAdd(&address->x, value.x);
  const float y = atomicAdd(&address->y, value.y);
  const float z = atomicAdd(&address->z, value.z);
  return {x, y, z, atomicAdd(&address->w, value.w)};
}
