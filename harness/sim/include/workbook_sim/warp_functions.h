// Warp-level functions of the CUDA C++ Programming Guide: shuffles, votes, matches, reductions, __syncwarp.
// All are one rendezvous of the lanes that the mask names: harness/sim/engine/warp.cpp.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "attributes.h"
#include "engine_api.h"
#include "warp.h"

namespace workbook::sim {

/// Whether __shfl_sync has an overload of its own for T; what converts to a number travels as that number.
template <class T>
inline constexpr bool kShuffled = std::is_arithmetic_v<T> && sizeof(T) >= 4 && sizeof(T) <= 8;
template <class T>
concept Shuffled = kShuffled<T>;
template <class T>
concept ShuffledPromoted = !kShuffled<T> && (std::integral<T> || std::is_enum_v<T>);

template <class T>
WORKBOOK_SIM_INLINE std::uint64_t to_bits(T value) {
  static_assert(sizeof(T) <= 8, "a warp shuffle moves at most 8 bytes");
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, static_cast<const void*>(&value), sizeof(T));
  return bits;
}

template <class T>
WORKBOOK_SIM_INLINE T from_bits(std::uint64_t bits) {
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

template <class T>
WORKBOOK_SIM_INLINE T shuffle(WarpOp op, unsigned int mask, T value, int argument, int width) {
  return from_bits<T>(workbook_sim_warp(op, mask, to_bits(value), argument, width));
}

/// What lanes bring to __match_all_sync, and its answer.
struct MatchAll {
  std::uint64_t value;
  std::uint32_t same_mask;
};

WORKBOOK_SIM_UNTRACED void match_all(void* const* lanes, std::uint32_t mask) {
  const MatchAll* first = nullptr;
  bool same = true;
  for (int lane = 0; lane < 32; ++lane) {
    const auto* one = static_cast<const MatchAll*>(lanes[lane]);
    if (one == nullptr) continue;
    if (first == nullptr) first = one;
    same = same && one->value == first->value;
  }
  for (int lane = 0; lane < 32; ++lane)
    if (lanes[lane] != nullptr) static_cast<MatchAll*>(lanes[lane])->same_mask = same ? mask : 0;
}

}  // namespace workbook::sim

#define WORKBOOK_SIM_SHUFFLE(NAME, OP, ARGUMENT)                                                      \
  template <workbook::sim::Shuffled T>                                                                \
  WORKBOOK_SIM_INLINE T NAME(unsigned int mask, T value, ARGUMENT argument, int width = 32) {         \
    return workbook::sim::shuffle(workbook::sim::WarpOp::OP, mask, value, static_cast<int>(argument), \
                                  width);                                                             \
  }                                                                                                   \
  template <workbook::sim::ShuffledPromoted T>                                                        \
  WORKBOOK_SIM_INLINE auto NAME(unsigned int mask, T value, ARGUMENT argument, int width = 32) {      \
    return NAME(mask, +value, argument, width);                                                       \
  }

WORKBOOK_SIM_SHUFFLE(__shfl_sync, shuffle, int)
WORKBOOK_SIM_SHUFFLE(__shfl_up_sync, shuffle_up, unsigned int)
WORKBOOK_SIM_SHUFFLE(__shfl_down_sync, shuffle_down, unsigned int)
WORKBOOK_SIM_SHUFFLE(__shfl_xor_sync, shuffle_xor, int)
#undef WORKBOOK_SIM_SHUFFLE

WORKBOOK_SIM_INLINE void __syncwarp(unsigned int mask = 0xffffffffu) {
  workbook_sim_warp(workbook::sim::WarpOp::sync, mask, 0, 0, 32);
}
WORKBOOK_SIM_INLINE unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return static_cast<unsigned int>(
      workbook_sim_warp(workbook::sim::WarpOp::ballot, mask, predicate != 0, 0, 32));
}
WORKBOOK_SIM_INLINE int __all_sync(unsigned int mask, int predicate) {
  return static_cast<int>(workbook_sim_warp(workbook::sim::WarpOp::all, mask, predicate != 0, 0, 32));
}
WORKBOOK_SIM_INLINE int __any_sync(unsigned int mask, int predicate) {
  return static_cast<int>(workbook_sim_warp(workbook::sim::WarpOp::any, mask, predicate != 0, 0, 32));
}
/// Whether all lanes of the mask say the same.
WORKBOOK_SIM_INLINE int __uni_sync(unsigned int mask, int predicate) {
  const auto yes = static_cast<unsigned int>(
      workbook_sim_warp(workbook::sim::WarpOp::ballot, mask, predicate != 0, 0, 32));
  return yes == 0 || yes == mask;
}
WORKBOOK_SIM_INLINE unsigned int __activemask() { return workbook_sim_activemask(); }

template <workbook::sim::Shuffled T>
WORKBOOK_SIM_INLINE unsigned int __match_any_sync(unsigned int mask, T value) {
  return static_cast<unsigned int>(
      workbook_sim_warp(workbook::sim::WarpOp::match_any, mask, workbook::sim::to_bits(value), 0, 32));
}
template <workbook::sim::Shuffled T>
WORKBOOK_SIM_INLINE unsigned int __match_all_sync(unsigned int mask, T value, int* predicate) {
  workbook::sim::MatchAll mine{workbook::sim::to_bits(value), 0};
  workbook_sim_warp_collective(mask, &mine, &workbook::sim::match_all);
  *predicate = mine.same_mask != 0;
  return mine.same_mask;
}

#define WORKBOOK_SIM_REDUCE(NAME, TYPE, OP)                                                             \
  WORKBOOK_SIM_INLINE TYPE NAME(unsigned int mask, TYPE value) {                                        \
    return static_cast<TYPE>(static_cast<std::uint32_t>(                                                \
        workbook_sim_warp(workbook::sim::WarpOp::OP, mask, static_cast<std::uint32_t>(value), 0, 32))); \
  }
WORKBOOK_SIM_REDUCE(__reduce_add_sync, unsigned int, add)
WORKBOOK_SIM_REDUCE(__reduce_add_sync, int, add)
WORKBOOK_SIM_REDUCE(__reduce_min_sync, unsigned int, min_unsigned)
WORKBOOK_SIM_REDUCE(__reduce_min_sync, int, min_signed)
WORKBOOK_SIM_REDUCE(__reduce_max_sync, unsigned int, max_unsigned)
WORKBOOK_SIM_REDUCE(__reduce_max_sync, int, max_signed)
WORKBOOK_SIM_REDUCE(__reduce_and_sync, unsigned int, bit_and)
WORKBOOK_SIM_REDUCE(__reduce_or_sync, unsigned int, bit_or)
WORKBOOK_SIM_REDUCE(__reduce_xor_sync, unsigned int, bit_xor)
#undef WORKBOOK_SIM_REDUCE
