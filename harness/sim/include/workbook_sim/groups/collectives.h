// reduce() and the scans of a tile or coalesced group: one rendezvous, computed by the last lane to come.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "groups.h"

namespace cooperative_groups {

#define WORKBOOK_GROUP_OPERATION(NAME, EXPRESSION)                                     \
  template <class T>                                                                   \
  struct NAME {                                                                        \
    __attribute__((always_inline)) T operator()(T a, T b) const { return EXPRESSION; } \
  };
WORKBOOK_GROUP_OPERATION(plus, static_cast<T>(a + b))
WORKBOOK_GROUP_OPERATION(less, b < a ? b : a)
WORKBOOK_GROUP_OPERATION(greater, b > a ? b : a)
WORKBOOK_GROUP_OPERATION(bit_and, static_cast<T>(a& b))
WORKBOOK_GROUP_OPERATION(bit_or, static_cast<T>(a | b))
WORKBOOK_GROUP_OPERATION(bit_xor, static_cast<T>(a ^ b))
#undef WORKBOOK_GROUP_OPERATION

}  // namespace cooperative_groups

namespace workbook::sim {

/// What a lane brings to a collective, and takes away.
template <class T, class Operation>
struct Share {
  T value;
  const Operation* operation;
  std::uint32_t came = 0;  ///< the lanes that did
};

/// Every lane's value becomes the sum of all, added pairwise as a butterfly of shuffles adds them, so that
/// floating point rounds as it does on a GPU.
template <class T, class Operation>
WORKBOOK_SIM_UNTRACED void reduce_lanes(void* const* lanes, std::uint32_t came) {
  Share<T, Operation>* shares[32];
  int count = 0;
  for (int lane = 0; lane < 32; ++lane)
    if (lanes[lane] != nullptr) shares[count++] = static_cast<Share<T, Operation>*>(lanes[lane]);
  for (int i = 0; i < count; ++i) shares[i]->came = came;
  int stride = 1;
  while (2 * stride < count) stride *= 2;
  for (; stride > 0; stride /= 2)
    for (int i = 0; i < stride && i + stride < count; ++i)
      shares[i]->value = (*shares[i]->operation)(shares[i]->value, shares[i + stride]->value);
  for (int i = 1; i < count; ++i) shares[i]->value = shares[0]->value;
}

/// Every lane's value becomes the sum of it and those before it.
template <class T, class Operation>
WORKBOOK_SIM_UNTRACED void scan_lanes(void* const* lanes, std::uint32_t came) {
  Share<T, Operation>* before = nullptr;
  for (int lane = 0; lane < 32; ++lane) {
    if (lanes[lane] == nullptr) continue;
    auto* share = static_cast<Share<T, Operation>*>(lanes[lane]);
    share->came = came;
    if (before != nullptr) share->value = (*share->operation)(before->value, share->value);
    before = share;
  }
}

/// Whether the hardware has an instruction for it.
template <class T, class Operation>
inline constexpr bool kRedux = std::is_integral_v<T> && sizeof(T) == 4 &&
                               (std::is_same_v<Operation, cooperative_groups::plus<T>> ||
                                std::is_same_v<Operation, cooperative_groups::less<T>> ||
                                std::is_same_v<Operation, cooperative_groups::greater<T>> ||
                                std::is_same_v<Operation, cooperative_groups::bit_and<T>> ||
                                std::is_same_v<Operation, cooperative_groups::bit_or<T>> ||
                                std::is_same_v<Operation, cooperative_groups::bit_xor<T>>);

template <class T, class Operation>
WORKBOOK_SIM_INLINE T collective(std::uint32_t mask, const T& value, const Operation& operation,
                                 void (*combine)(void* const*, std::uint32_t)) {
  Share<T, Operation> mine{value, &operation};
  workbook_sim_warp_collective(mask, &mine, combine);
  if (mine.came != mask) workbook_sim_absent_lanes(mask & ~mine.came, kRedux<T, Operation>);
  return mine.value;
}

/// What the first thread gets from an exclusive scan: the operation's neutral element where it has one.
template <class T, class Operation>
WORKBOOK_SIM_INLINE T neutral_element(const Operation&) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<Operation, cooperative_groups::less<T>> && Limits::is_specialized)
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  else if constexpr (std::is_same_v<Operation, cooperative_groups::greater<T>> && Limits::is_specialized)
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  else if constexpr (std::is_same_v<Operation, cooperative_groups::bit_and<T>>)
    return static_cast<T>(~T{});
  else
    return T{};
}

/// The same for tiles of several warps: each warp's sum, and the sum of those.
template <class T, class Operation>
WORKBOOK_SIM_UNTRACED void reduce_threads(void* const* threads, unsigned int count) {
  void* firsts[32] = {};
  for (unsigned int warp = 0; warp * 32 < count; ++warp) {
    void* lanes[32] = {};
    for (unsigned int lane = 0; lane < 32 && warp * 32 + lane < count; ++lane)
      lanes[lane] = threads[warp * 32 + lane];
    reduce_lanes<T, Operation>(lanes, 0);
    firsts[warp] = lanes[0];
  }
  reduce_lanes<T, Operation>(firsts, 0);
  for (unsigned int i = 1; i < count; ++i)
    static_cast<Share<T, Operation>*>(threads[i])->value =
        static_cast<Share<T, Operation>*>(threads[0])->value;
}

template <class T, class Operation>
WORKBOOK_SIM_UNTRACED void scan_threads(void* const* threads, unsigned int count) {
  for (unsigned int i = 1; i < count; ++i) {
    auto* const share = static_cast<Share<T, Operation>*>(threads[i]);
    share->value =
        (*share->operation)(static_cast<Share<T, Operation>*>(threads[i - 1])->value, share->value);
  }
}

/// Every thread's value becomes that of the one before it.
template <class T, class Operation>
WORKBOOK_SIM_UNTRACED void shift_threads(void* const* threads, unsigned int count) {
  for (unsigned int i = count - 1; i > 0; --i)
    static_cast<Share<T, Operation>*>(threads[i])->value =
        static_cast<Share<T, Operation>*>(threads[i - 1])->value;
}

template <class T, class Operation, class Tile>
WORKBOOK_SIM_INLINE T collective_of_warps(const Tile& tile, T value, const Operation& operation,
                                          CombineThreads combine) {
  Share<T, Operation> mine{value, &operation};
  tile.workbook_meet(&mine, combine);
  return mine.value;
}

}  // namespace workbook::sim

namespace cooperative_groups {

template <unsigned int kSize, class Parent, class T, class Operation, std::enable_if_t<(kSize > 32), int> = 0>
WORKBOOK_SIM_INLINE T reduce(const thread_block_tile<kSize, Parent>& tile, T value,
                             const Operation& operation) {
  return workbook::sim::collective_of_warps(tile, value, operation,
                                            &workbook::sim::reduce_threads<T, Operation>);
}
template <unsigned int kSize, class Parent, class T, class Operation = plus<T>,
          std::enable_if_t<(kSize > 32), int> = 0>
WORKBOOK_SIM_INLINE T inclusive_scan(const thread_block_tile<kSize, Parent>& tile, T value,
                                     const Operation& operation = {}) {
  return workbook::sim::collective_of_warps(tile, value, operation,
                                            &workbook::sim::scan_threads<T, Operation>);
}
template <unsigned int kSize, class Parent, class T, class Operation = plus<T>,
          std::enable_if_t<(kSize > 32), int> = 0>
WORKBOOK_SIM_INLINE T exclusive_scan(const thread_block_tile<kSize, Parent>& tile, T value,
                                     const Operation& operation = {}) {
  const T before = workbook::sim::collective_of_warps(tile, inclusive_scan(tile, value, operation), operation,
                                                      &workbook::sim::shift_threads<T, Operation>);
  return tile.thread_rank() == 0 ? workbook::sim::neutral_element<T>(operation) : before;
}

template <class Group, class T, class Operation>
WORKBOOK_SIM_INLINE T reduce(const Group& group, T value, const Operation& operation) {
  return workbook::sim::collective(group.lane_mask(), value, operation,
                                   &workbook::sim::reduce_lanes<T, Operation>);
}
template <class Group, class T, class Operation = plus<T>>
WORKBOOK_SIM_INLINE T inclusive_scan(const Group& group, T value, const Operation& operation = {}) {
  return workbook::sim::collective(group.lane_mask(), value, operation,
                                   &workbook::sim::scan_lanes<T, Operation>);
}
template <class Group, class T, class Operation = plus<T>>
WORKBOOK_SIM_INLINE T exclusive_scan(const Group& group, T value, const Operation& operation = {}) {
  const T inclusive = inclusive_scan(group, value, operation);
  const T before = group.shfl_up(inclusive, 1);
  return group.thread_rank() == 0 ? workbook::sim::neutral_element<T>(operation) : before;
}

}  // namespace cooperative_groups
