// Tiles of more than 32 threads: several warps of a block, which meet at a barrier of their own.
#pragma once

#include <cstdint>
#include <type_traits>

#include "../builtins.h"
#include "../sync/barrier_word.h"
#include "place.h"

namespace workbook::sim {

/// A barrier for each tile of each size, 64 to 1024: of 1024 threads 16, 8, 4, 2 and 1.
struct TileBarriers {
  BarrierWord of[32];
};
WORKBOOK_SIM_INLINE BarrierWord& tile_barrier(unsigned int size, unsigned int tile) {
  static __shared__ TileBarriers barriers_of_tiles;
  return barriers_of_tiles.of[1024u / size + tile];
}

/// What threads of a tile bring, by rank: whoever combines writes to it.
using CombineThreads = void (*)(void* const* threads, unsigned int count);

WORKBOOK_SIM_UNTRACED void lay_in_slot(void** slot, void* mine) { *slot = mine; }

template <class T>
struct Shown {
  T value;
  unsigned int source;
};
template <class T>
WORKBOOK_SIM_UNTRACED void show_threads(void* const* threads, unsigned int count) {
  const auto* const first = static_cast<Shown<T>*>(threads[0]);
  const auto* const shown = static_cast<Shown<T>*>(threads[first->source % count]);
  const T value = shown->value;
  for (unsigned int i = 0; i < count; ++i) static_cast<Shown<T>*>(threads[i])->value = value;
}

WORKBOOK_SIM_UNTRACED void count_threads(void* const* threads, unsigned int count) {
  int yes = 0;
  for (unsigned int i = 0; i < count; ++i) yes += *static_cast<int*>(threads[i]) != 0;
  for (unsigned int i = 0; i < count; ++i) *static_cast<int*>(threads[i]) = yes;
}

}  // namespace workbook::sim

namespace cooperative_groups {

template <unsigned int kSize>
class tile_of_warps {
 public:
  WORKBOOK_SIM_INLINE tile_of_warps(unsigned int meta_rank, unsigned int meta_size)
      : meta_rank_(meta_rank), meta_size_(meta_size) {}

  WORKBOOK_SIM_INLINE void sync() const {
    workbook::sim::tile_barrier(kSize, workbook::sim::thread_in_block() / kSize).meet(threads());
  }
  static constexpr unsigned int size() { return kSize; }
  static constexpr unsigned int num_threads() { return kSize; }
  WORKBOOK_SIM_INLINE static unsigned int thread_rank() { return workbook::sim::thread_in_block() % kSize; }
  WORKBOOK_SIM_INLINE unsigned int meta_group_rank() const { return meta_rank_; }
  WORKBOOK_SIM_INLINE unsigned int meta_group_size() const { return meta_size_; }

  /// All threads name the same rank.
  template <class T>
  WORKBOOK_SIM_INLINE T shfl(const T& value, unsigned int rank) const {
    workbook::sim::Shown<T> mine{value, rank};
    workbook_meet(&mine, &workbook::sim::show_threads<T>);
    return mine.value;
  }
  WORKBOOK_SIM_INLINE int any(int predicate) const { return count_of(predicate) > 0; }
  WORKBOOK_SIM_INLINE int all(int predicate) const {
    return count_of(predicate) == static_cast<int>(threads());
  }

  /// The tile's first thread combines what all of them bring.
  WORKBOOK_SIM_INLINE void workbook_meet(void* mine, workbook::sim::CombineThreads combine) const {
    const unsigned int thread = workbook::sim::thread_in_block();
    void** const slots = workbook_sim_tile_slots();
    workbook::sim::lay_in_slot(slots + thread, mine);
    sync();
    if (thread_rank() == 0) combine(slots + thread, threads());
    sync();
  }

 private:
  /// Those that the block has: its last tile may be smaller.
  WORKBOOK_SIM_INLINE static unsigned int threads() {
    const unsigned int rest =
        workbook::sim::threads_of_block() - workbook::sim::thread_in_block() / kSize * kSize;
    return rest < kSize ? rest : kSize;
  }
  WORKBOOK_SIM_INLINE int count_of(int predicate) const {
    workbook_meet(&predicate, &workbook::sim::count_threads);
    return predicate;
  }
  unsigned int meta_rank_, meta_size_;
};

}  // namespace cooperative_groups
