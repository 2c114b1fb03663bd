// memcpy_async() of a group: its threads copy the pieces in turn, and wait() completes them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../aligned_size.h"
#include "groups.h"

namespace workbook::sim {

/// What a size promises about itself and both addresses.
template <class Size>
inline constexpr std::size_t kPromised = 1;
template <std::size_t kAlignment>
inline constexpr std::size_t kPromised<cuda::aligned_size_t<kAlignment>> = kAlignment;

/// The pieces of a copy that fall to the thread of that rank: of 16, 8 or 4 bytes, as cp.async has them,
/// where the addresses allow, or are promised to; single bytes else, which are no asynchronous copy on the
/// hardware either. `group` as workbook_sim_async_copy() takes it.
template <class Size>
WORKBOOK_SIM_INLINE void copy_share(void* to, const void* from, const Size& size, std::size_t rank,
                                    std::size_t threads, const void* group) {
  const std::size_t bytes = static_cast<std::size_t>(size),
                    promised = kPromised<Size> < 16 ? kPromised<Size> : 16;
  if (bytes % promised != 0)
    workbook_sim_refuse(
        "the size of memcpy_async() is no multiple of what its cuda::aligned_size_t promises");
  const std::size_t bits =
      promised >= 4 ? promised
                    : reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
  const std::size_t piece = bits % 16 == 0 ? 16 : bits % 8 == 0 ? 8 : bits % 4 == 0 ? 4 : 1;
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  for (std::size_t i = rank * piece; i < bytes; i += threads * piece) {
    if (piece >= 4)
      workbook_sim_async_copy(target + i, source + i, piece, 0, group);
    else
      target[i] = source[i];
  }
}

}  // namespace workbook::sim

namespace cooperative_groups {
namespace parts {

template <class Group>
WORKBOOK_SIM_INLINE void see_copies(const Group&) {
  if constexpr (std::is_same_v<Group, thread_block>) workbook_sim_block_copies();
}
template <class Group>
WORKBOOK_SIM_INLINE void see_wait(const Group&) {
  if constexpr (std::is_same_v<Group, thread_block>) workbook_sim_block_waited();
}

}  // namespace parts

/// Copies `bytes` to shared memory; each call is one group of copies for wait_prior().
template <class Group, class To, class From>
WORKBOOK_SIM_INLINE void memcpy_async(const Group& group, To* to, const From* from, std::size_t bytes) {
  parts::see_copies(group);
  workbook::sim::copy_share(to, from, bytes, group.thread_rank(), group.size(), nullptr);
  workbook_sim_async_commit();
}
template <class Group, class To, class From, std::size_t kAlignment>
WORKBOOK_SIM_INLINE void memcpy_async(const Group& group, To* to, const From* from,
                                      const cuda::aligned_size_t<kAlignment>& bytes) {
  parts::see_copies(group);
  workbook::sim::copy_share(to, from, bytes, group.thread_rank(), group.size(), nullptr);
  workbook_sim_async_commit();
}
/// The form with both sizes, in elements: copies the smaller.
template <class Group, class T, class ToSize, class FromSize>
WORKBOOK_SIM_INLINE void memcpy_async(const Group& group, T* to, const ToSize& to_count, const T* from,
                                      const FromSize& from_count) {
  const std::size_t most = static_cast<std::size_t>(to_count), given = static_cast<std::size_t>(from_count);
  parts::see_copies(group);
  workbook::sim::copy_share(to, from, (given < most ? given : most) * sizeof(T), group.thread_rank(),
                            group.size(), nullptr);
  workbook_sim_async_commit();
}

template <class Group>
WORKBOOK_SIM_INLINE void wait(const Group& group) {
  workbook_sim_async_wait(0);
  group.sync();
  parts::see_wait(group);
}
/// Waits for all but the latest kStages calls of memcpy_async().
template <unsigned int kStages, class Group>
WORKBOOK_SIM_INLINE void wait_prior(const Group& group) {
  workbook_sim_async_wait(kStages);
  group.sync();
  parts::see_wait(group);
}

}  // namespace cooperative_groups
