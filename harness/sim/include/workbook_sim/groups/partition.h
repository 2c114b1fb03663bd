// Dividing a group: into tiles, by label, by a predicate.
#pragma once

#include <type_traits>
#include <utility>

#include "groups.h"

namespace cooperative_groups {

template <unsigned int kSize>
WORKBOOK_SIM_INLINE thread_block_tile<kSize, thread_block> tiled_partition(const thread_block&) {
  const unsigned int thread = workbook::sim::thread_in_block();
  const unsigned int tiles = (workbook::sim::threads_of_block() + kSize - 1) / kSize;
  if constexpr (kSize > 32) {
    return {thread / kSize, tiles};
  } else {
    const std::uint32_t tile =
        kSize == 32 ? 0xffffffffu : ((1u << (kSize % 32)) - 1u) << (thread % 32u & ~(kSize - 1u));
    return {tile & workbook::sim::lanes_of_warp(), thread / kSize, tiles};
  }
}

template <unsigned int kSize, unsigned int kParentSize, class Parent>
WORKBOOK_SIM_INLINE thread_block_tile<kSize, thread_block_tile<kParentSize, Parent>> tiled_partition(
    const thread_block_tile<kParentSize, Parent>& parent) {
  static_assert(kSize <= kParentSize, "a tile is divided into smaller ones");
  if constexpr (kSize > 32)
    return {parent.thread_rank() / kSize, kParentSize / kSize};
  else
    return {tiled_partition<kSize>(this_thread_block()).lane_mask(), parent.thread_rank() / kSize,
            kParentSize / kSize};
}

/// Every `size` threads of the group, in rank order; the last one may be smaller.
WORKBOOK_SIM_INLINE coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size) {
  const unsigned int tile = parent.thread_rank() / size;
  std::uint32_t mask = 0;
  unsigned int rank = 0;
  for (std::uint32_t rest = parent.lane_mask(); rest != 0; rest &= rest - 1u, ++rank)
    if (rank / size == tile) mask |= rest & ~(rest - 1u);
  return coalesced_group(mask, tile, (parent.size() + size - 1) / size);
}

WORKBOOK_SIM_INLINE thread_group tiled_partition(const thread_group& parent, unsigned int size) {
  if (size > 32 || size == 0 || (size & (size - 1)) != 0)
    workbook_sim_refuse("tiled_partition() needs a size that is a power of two up to 32");
  if (parent.kind_ == thread_group::Kind::lanes) return tiled_partition(coalesced_group(parent.mask_), size);
  const unsigned int lane = workbook::sim::lane_in_warp();
  const std::uint32_t tile = size == 32 ? 0xffffffffu : ((1u << size) - 1u) << (lane & ~(size - 1u));
  return thread_group(thread_group::Kind::lanes, tile & workbook::sim::lanes_of_warp());
}

/// The threads of the group that brought the same label.
template <class Label>
WORKBOOK_SIM_INLINE coalesced_group labeled_partition(const lane_group& parent, Label label) {
  static_assert(std::is_integral_v<Label>, "labels are integers");
  const std::uint32_t mask = __match_any_sync(parent.lane_mask(), +label);
  // One lane a label, the lowest, stands for it when the labels are counted.
  const bool first = workbook::sim::rank_in_mask(mask, workbook::sim::lane_in_warp()) == 0;
  const std::uint32_t firsts = __ballot_sync(parent.lane_mask(), first);
  const unsigned int rank =
      workbook::sim::rank_in_mask(firsts, static_cast<unsigned int>(__builtin_ctz(mask)));
  return coalesced_group(mask, rank, static_cast<unsigned int>(__builtin_popcount(firsts)));
}

WORKBOOK_SIM_INLINE coalesced_group binary_partition(const lane_group& parent, bool predicate) {
  const std::uint32_t yes = __ballot_sync(parent.lane_mask(), predicate);
  return coalesced_group(predicate ? yes : parent.lane_mask() & ~yes, predicate ? 1 : 0, 2);
}

/// call(arguments...) by one thread of the group; the others do not wait.
template <class Group, class Call, class... Arguments>
WORKBOOK_SIM_INLINE void invoke_one(const Group& group, Call&& call, Arguments&&... arguments) {
  if (group.thread_rank() == 0) std::forward<Call>(call)(std::forward<Arguments>(arguments)...);
}

/// As invoke_one(), and every thread of the group gets what it returned.
template <class Group, class Call, class... Arguments>
WORKBOOK_SIM_INLINE auto invoke_one_broadcast(const Group& group, Call&& call, Arguments&&... arguments) {
  std::decay_t<decltype(call(arguments...))> result{};
  if (group.thread_rank() == 0) result = std::forward<Call>(call)(std::forward<Arguments>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
