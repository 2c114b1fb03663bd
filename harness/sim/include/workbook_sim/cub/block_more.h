// cub::BlockHistogram, BlockDiscontinuity, BlockAdjacentDifference and BlockRadixSort.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../atomics.h"
#include "common.h"

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int kBlockX, int kItems, int kBins, BlockHistogramAlgorithm kAlgorithm = BLOCK_HISTO_SORT,
          int kBlockY = 1, int kBlockZ = 1>
class BlockHistogram {
  static constexpr int kThreads = kBlockX * kBlockY * kBlockZ;

 public:
  struct TempStorage {};
  WORKBOOK_SIM_INLINE explicit BlockHistogram(TempStorage&) {}

  template <class Counter>
  WORKBOOK_SIM_INLINE void InitHistogram(Counter (&histogram)[kBins]) {
    for (int bin = static_cast<int>(workbook::sim::thread_in_block()); bin < kBins; bin += kThreads)
      histogram[bin] = 0;
  }
  /// Adds the items to what the histogram holds.
  template <class Counter>
  WORKBOOK_SIM_INLINE void Composite(T (&items)[kItems], Counter (&histogram)[kBins]) {
    for (int i = 0; i < kItems; ++i) atomicAdd(&histogram[items[i]], Counter{1});
  }
  template <class Counter>
  WORKBOOK_SIM_INLINE void Histogram(T (&items)[kItems], Counter (&histogram)[kBins]) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }
};

/// Flags between neighbours of a blocked arrangement.
template <class T, int kBlockX, int kBlockY = 1, int kBlockZ = 1>
class BlockDiscontinuity {
  static constexpr int kThreads = kBlockX * kBlockY * kBlockZ;

 public:
  struct TempStorage {
    workbook::sim::Room<T, kThreads> first, last;
  };
  WORKBOOK_SIM_INLINE explicit BlockDiscontinuity(TempStorage& storage) : storage_(storage) {}

  /// 1 where an item differs from the one before it, and for the block's first.
  template <int kItems, class Flag, class Differ>
  WORKBOOK_SIM_INLINE void FlagHeads(Flag (&flags)[kItems], T (&input)[kItems], Differ differ) {
    const int thread = share(input);
    flags[0] = thread == 0 || differ(storage_.last.data()[thread - 1], input[0]);
    for (int i = 1; i < kItems; ++i) flags[i] = differ(input[i - 1], input[i]);
  }
  template <int kItems, class Flag, class Differ>
  WORKBOOK_SIM_INLINE void FlagHeads(Flag (&flags)[kItems], T (&input)[kItems], Differ differ, T before) {
    const int thread = share(input);
    flags[0] = differ(thread == 0 ? before : storage_.last.data()[thread - 1], input[0]);
    for (int i = 1; i < kItems; ++i) flags[i] = differ(input[i - 1], input[i]);
  }
  /// 1 where an item differs from the one after it, and for the block's last.
  template <int kItems, class Flag, class Differ>
  WORKBOOK_SIM_INLINE void FlagTails(Flag (&flags)[kItems], T (&input)[kItems], Differ differ) {
    const int thread = share(input);
    for (int i = 0; i + 1 < kItems; ++i) flags[i] = differ(input[i], input[i + 1]);
    flags[kItems - 1] =
        thread == kThreads - 1 || differ(input[kItems - 1], storage_.first.data()[thread + 1]);
  }

 private:
  template <int kItems>
  WORKBOOK_SIM_INLINE int share(T (&input)[kItems]) {
    const int thread = static_cast<int>(workbook::sim::thread_of_cub_block<kBlockX, kBlockY, kBlockZ>());
    storage_.first.data()[thread] = input[0];
    storage_.last.data()[thread] = input[kItems - 1];
    __syncthreads();
    return thread;
  }
  TempStorage& storage_;
};

template <class T, int kBlockX, int kBlockY = 1, int kBlockZ = 1>
class BlockAdjacentDifference {
  static constexpr int kThreads = kBlockX * kBlockY * kBlockZ;

 public:
  struct TempStorage {
    workbook::sim::Room<T, kThreads> last;
  };
  WORKBOOK_SIM_INLINE explicit BlockAdjacentDifference(TempStorage& storage) : storage_(storage) {}

  /// difference(item, the one before it); the block's first item is kept.
  template <int kItems, class Output, class Difference>
  WORKBOOK_SIM_INLINE void SubtractLeft(T (&input)[kItems], Output (&output)[kItems], Difference difference) {
    const int thread = static_cast<int>(workbook::sim::thread_of_cub_block<kBlockX, kBlockY, kBlockZ>());
    storage_.last.data()[thread] = input[kItems - 1];
    __syncthreads();
    for (int i = kItems - 1; i > 0; --i) output[i] = difference(input[i], input[i - 1]);
    if (thread == 0)
      output[0] = input[0];
    else
      output[0] = difference(input[0], storage_.last.data()[thread - 1]);
  }

 private:
  TempStorage& storage_;
};

}  // namespace cub

namespace workbook::sim {

/// Bits of a key that sort as the key does.
template <class Key>
WORKBOOK_SIM_INLINE std::uint64_t radix_bits(Key key) {
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, static_cast<const void*>(&key), sizeof key);
  constexpr std::uint64_t kSign = std::uint64_t{1} << (8 * sizeof(Key) - 1);
  constexpr std::uint64_t kAll = kSign | (kSign - 1);
  if constexpr (std::is_unsigned_v<Key>) return bits;
  if constexpr (std::is_integral_v<Key>) return bits ^ kSign;
  return bits & kSign ? ~bits & kAll : bits | kSign;  // floating point: a negative number's order is reversed
}

template <class Key>
struct RadixOrder {
  const Key* keys;
  int* places;
  int count, begin, end;
  bool descending;
};

/// Places 0 .. count in the stable order of the keys' bits [begin, end), largest first where `descending`. A
/// collective of one lane, because what the standard library does inside is not to be traced.
template <class Key>
WORKBOOK_SIM_UNTRACED void radix_order(void* const* lanes, std::uint32_t mask) {
  const auto& order = *static_cast<const RadixOrder<Key>*>(lanes[__builtin_ctz(mask)]);
  const auto width = static_cast<std::uint64_t>(order.end - order.begin);
  const std::uint64_t digits = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  for (int i = 0; i < order.count; ++i) order.places[i] = i;
  std::stable_sort(order.places, order.places + order.count, [&](int a, int b) {
    const std::uint64_t x = radix_bits(order.keys[a]) >> order.begin & digits;
    const std::uint64_t y = radix_bits(order.keys[b]) >> order.begin & digits;
    return order.descending ? y < x : x < y;
  });
}

}  // namespace workbook::sim

namespace cub {

/// Sorts a block's items. The order is found by one thread between two barriers, where the hardware makes
/// passes over the digits: the result is the same, its cost is not modelled.
template <class Key, int kBlockX, int kItems, class Value = NullType>
class BlockRadixSort {
  static constexpr int kCount = kBlockX * kItems, kAllBits = 8 * sizeof(Key);
  static constexpr bool kHasValues = !std::is_same_v<Value, NullType>;

 public:
  struct TempStorage {
    workbook::sim::Room<Key, kCount> keys;
    workbook::sim::Room<Value, kHasValues ? kCount : 1> values;
    int places[kCount];
  };
  WORKBOOK_SIM_INLINE explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}

  WORKBOOK_SIM_INLINE void Sort(Key (&keys)[kItems], int begin = 0, int end = kAllBits) {
    sort(keys, no_values_, begin, end, false, false);
  }
  WORKBOOK_SIM_INLINE void SortDescending(Key (&keys)[kItems], int begin = 0, int end = kAllBits) {
    sort(keys, no_values_, begin, end, true, false);
  }
  WORKBOOK_SIM_INLINE void SortBlockedToStriped(Key (&keys)[kItems], int begin = 0, int end = kAllBits) {
    sort(keys, no_values_, begin, end, false, true);
  }
  WORKBOOK_SIM_INLINE void SortDescendingBlockedToStriped(Key (&keys)[kItems], int begin = 0,
                                                          int end = kAllBits) {
    sort(keys, no_values_, begin, end, true, true);
  }
  WORKBOOK_SIM_INLINE void Sort(Key (&keys)[kItems], Value (&values)[kItems], int begin = 0,
                                int end = kAllBits) {
    sort(keys, values, begin, end, false, false);
  }
  WORKBOOK_SIM_INLINE void SortDescending(Key (&keys)[kItems], Value (&values)[kItems], int begin = 0,
                                          int end = kAllBits) {
    sort(keys, values, begin, end, true, false);
  }
  WORKBOOK_SIM_INLINE void SortBlockedToStriped(Key (&keys)[kItems], Value (&values)[kItems], int begin = 0,
                                                int end = kAllBits) {
    sort(keys, values, begin, end, false, true);
  }

 private:
  WORKBOOK_SIM_INLINE void sort(Key (&keys)[kItems], Value (&values)[kItems], int begin, int end,
                                bool descending, bool striped) {
    const int thread = static_cast<int>(workbook::sim::thread_of_cub_block<kBlockX, 1, 1>());
    for (int i = 0; i < kItems; ++i) {
      storage_.keys.data()[thread * kItems + i] = keys[i];
      if constexpr (kHasValues) storage_.values.data()[thread * kItems + i] = values[i];
    }
    __syncthreads();
    if (thread == 0) {
      workbook_sim_touch(storage_.places, sizeof storage_.places, true);
      workbook::sim::RadixOrder<Key> order{
          storage_.keys.data(), storage_.places, kCount, begin, end, descending};
      workbook_sim_warp_collective(1u << workbook::sim::lane_in_warp(), &order,
                                   &workbook::sim::radix_order<Key>);
    }
    __syncthreads();
    for (int i = 0; i < kItems; ++i) {
      const int place = storage_.places[striped ? i * kBlockX + thread : thread * kItems + i];
      keys[i] = storage_.keys.data()[place];
      if constexpr (kHasValues) values[i] = storage_.values.data()[place];
    }
  }
  TempStorage& storage_;
  Value no_values_[kItems];
};

}  // namespace cub
