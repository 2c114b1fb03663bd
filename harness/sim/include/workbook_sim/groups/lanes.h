// What groups of lanes of one warp share: exchanging values of any size, and votes, ranked within the group.
#pragma once

#include <cstdint>
#include <type_traits>

#include "../warp_functions.h"
#include "place.h"

namespace workbook::sim {

/// `value` of the lane `source`, for every lane of the mask; as many shuffles as it has words of 8 bytes.
template <class T>
WORKBOOK_SIM_INLINE T exchange(std::uint32_t mask, const T& value, int source) {
  static_assert(std::is_copy_constructible_v<T> && sizeof(T) <= 32,
                "a group exchanges values of up to 32 bytes that can be copied as bytes");
  std::uint64_t words[(sizeof(T) + 7) / 8] = {};
  __builtin_memcpy(words, static_cast<const void*>(&value), sizeof(T));
  for (std::uint64_t& word : words) word = workbook_sim_warp(WarpOp::shuffle, mask, word, source, 32);
  T result = value;
  __builtin_memcpy(static_cast<void*>(&result), words, sizeof(T));
  return result;
}

/// The bits of `lanes` that belong to the mask, packed: bit i is the lane of rank i.
WORKBOOK_SIM_INLINE std::uint32_t pack_lanes(std::uint32_t mask, std::uint32_t lanes) {
  std::uint32_t packed = 0;
  for (unsigned int rank = 0; mask != 0; ++rank, mask &= mask - 1u)
    packed |= (lanes >> __builtin_ctz(mask) & 1u) << rank;
  return packed;
}

}  // namespace workbook::sim

namespace cooperative_groups {

/// Lanes of one warp in rank order: the base of tiles and coalesced groups. Distances out of range return the
/// caller's own value, as the shift of a tile past its end does; ranks count on from 0 again.
class lane_group {
 public:
  WORKBOOK_SIM_INLINE explicit lane_group(std::uint32_t mask, unsigned int meta_rank = 0,
                                          unsigned int meta_size = 1)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

  WORKBOOK_SIM_INLINE void sync() const { __syncwarp(mask_); }
  WORKBOOK_SIM_INLINE unsigned int thread_rank() const {
    return workbook::sim::rank_in_mask(mask_, workbook::sim::lane_in_warp());
  }
  WORKBOOK_SIM_INLINE unsigned int meta_group_rank() const { return meta_rank_; }
  WORKBOOK_SIM_INLINE unsigned int meta_group_size() const { return meta_size_; }
  WORKBOOK_SIM_INLINE std::uint32_t lane_mask() const { return mask_; }

  template <class T>
  WORKBOOK_SIM_INLINE T shfl(const T& value, unsigned int rank) const {
    if (rank >= count() && count() < 32) workbook_sim_rank_past(rank, count());
    return workbook::sim::exchange(mask_, value, lane_of(rank % count()));
  }
  template <class T>
  WORKBOOK_SIM_INLINE T shfl_up(const T& value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    if (delta >= count()) workbook_sim_shuffle_past(delta, count());
    return workbook::sim::exchange(mask_, value, lane_of(rank >= delta ? rank - delta : rank));
  }
  template <class T>
  WORKBOOK_SIM_INLINE T shfl_down(const T& value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    if (delta >= count()) workbook_sim_shuffle_past(delta, count());
    return workbook::sim::exchange(mask_, value, lane_of(rank + delta < count() ? rank + delta : rank));
  }
  WORKBOOK_SIM_INLINE int any(int predicate) const { return __any_sync(mask_, predicate); }
  WORKBOOK_SIM_INLINE int all(int predicate) const { return __all_sync(mask_, predicate); }
  WORKBOOK_SIM_INLINE unsigned int ballot(int predicate) const {
    return workbook::sim::pack_lanes(mask_, __ballot_sync(mask_, predicate));
  }
  template <class T>
  WORKBOOK_SIM_INLINE unsigned int match_any(T value) const {
    return workbook::sim::pack_lanes(mask_, __match_any_sync(mask_, value));
  }
  template <class T>
  WORKBOOK_SIM_INLINE unsigned int match_all(T value, int& predicate) const {
    return workbook::sim::pack_lanes(mask_, __match_all_sync(mask_, value, &predicate));
  }

 protected:
  WORKBOOK_SIM_INLINE unsigned int count() const {
    return static_cast<unsigned int>(__builtin_popcount(mask_));
  }
  WORKBOOK_SIM_INLINE int lane_of(unsigned int rank) const {
    return static_cast<int>(workbook::sim::nth_lane(mask_, rank));
  }

  std::uint32_t mask_;
  unsigned int meta_rank_, meta_size_;
};

}  // namespace cooperative_groups
