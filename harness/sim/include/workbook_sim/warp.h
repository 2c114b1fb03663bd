// Warp-level operations. All are one rendezvous of the lanes that the mask names: harness/sim/warp.cpp.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace workbook::sim {

enum class WarpOp : int {
  sync,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  all,
  any,
  match_any,
  add,
  min_signed,
  max_signed,
  min_unsigned,
  max_unsigned,
  bit_and,
  bit_or,
  bit_xor,
  collective  ///< whatever workbook_sim_warp_collective() is given
};

}  // namespace workbook::sim

extern "C" {
/// The operation's result for the calling lane. `value` is what the lane brings, `argument` the source lane,
/// delta or lane mask of a shuffle, `width` its segment.
std::uint64_t workbook_sim_warp(workbook::sim::WarpOp op, std::uint32_t mask, std::uint64_t value,
                                int argument, int width);
std::uint32_t workbook_sim_activemask();
}

namespace workbook::sim {

template <class T>
inline __attribute__((always_inline)) T shuffle(WarpOp op, unsigned int mask, T value, int argument,
                                                int width) {
  static_assert(sizeof(T) <= 8, "a warp shuffle moves at most 8 bytes");
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = workbook_sim_warp(op, mask, bits, argument, width);
  T result;
  __builtin_memcpy(&result, &bits, sizeof(T));
  return result;
}

}  // namespace workbook::sim

#define WORKBOOK_SIM_INLINE inline __attribute__((always_inline))

template <class T>
WORKBOOK_SIM_INLINE T __shfl_sync(unsigned int mask, T value, int source, int width = 32) {
  return workbook::sim::shuffle(workbook::sim::WarpOp::shuffle, mask, value, source, width);
}
template <class T>
WORKBOOK_SIM_INLINE T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32) {
  return workbook::sim::shuffle(workbook::sim::WarpOp::shuffle_up, mask, value, static_cast<int>(delta),
                                width);
}
template <class T>
WORKBOOK_SIM_INLINE T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = 32) {
  return workbook::sim::shuffle(workbook::sim::WarpOp::shuffle_down, mask, value, static_cast<int>(delta),
                                width);
}
template <class T>
WORKBOOK_SIM_INLINE T __shfl_xor_sync(unsigned int mask, T value, int lane_mask, int width = 32) {
  return workbook::sim::shuffle(workbook::sim::WarpOp::shuffle_xor, mask, value, lane_mask, width);
}
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
template <class T>
WORKBOOK_SIM_INLINE unsigned int __match_any_sync(unsigned int mask, T value) {
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return static_cast<unsigned int>(workbook_sim_warp(workbook::sim::WarpOp::match_any, mask, bits, 0, 32));
}
WORKBOOK_SIM_INLINE unsigned int __reduce_add_sync(unsigned int mask, unsigned int value) {
  return static_cast<unsigned int>(workbook_sim_warp(workbook::sim::WarpOp::add, mask, value, 0, 32));
}
WORKBOOK_SIM_INLINE int __reduce_add_sync(unsigned int mask, int value) {
  return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned int>(value)));
}
WORKBOOK_SIM_INLINE int __reduce_min_sync(unsigned int mask, int value) {
  return static_cast<int>(
      workbook_sim_warp(workbook::sim::WarpOp::min_signed, mask, static_cast<std::uint32_t>(value), 0, 32));
}
WORKBOOK_SIM_INLINE int __reduce_max_sync(unsigned int mask, int value) {
  return static_cast<int>(
      workbook_sim_warp(workbook::sim::WarpOp::max_signed, mask, static_cast<std::uint32_t>(value), 0, 32));
}
WORKBOOK_SIM_INLINE unsigned int __reduce_min_sync(unsigned int mask, unsigned int value) {
  return static_cast<unsigned int>(
      workbook_sim_warp(workbook::sim::WarpOp::min_unsigned, mask, value, 0, 32));
}
WORKBOOK_SIM_INLINE unsigned int __reduce_max_sync(unsigned int mask, unsigned int value) {
  return static_cast<unsigned int>(
      workbook_sim_warp(workbook::sim::WarpOp::max_unsigned, mask, value, 0, 32));
}
WORKBOOK_SIM_INLINE unsigned int __activemask() { return workbook_sim_activemask(); }

#undef WORKBOOK_SIM_INLINE
