// cub::BlockExchange, cub::BlockLoad and cub::BlockStore: between memory, a blocked arrangement (a thread has
// neighbours) and a striped one (neighbours are in neighbouring threads).
#pragma once

#include "common.h"

namespace cub {

template <class T, int kBlockX, int kItems, bool kTimeSlicing = false, int kBlockY = 1, int kBlockZ = 1>
class BlockExchange {
  static constexpr int kThreads = kBlockX * kBlockY * kBlockZ;

 public:
  struct TempStorage {
    workbook::sim::Room<T, kThreads * kItems> items;
  };
  WORKBOOK_SIM_INLINE explicit BlockExchange(TempStorage& storage) : items_(storage.items.data()) {}

  template <class U>
  WORKBOOK_SIM_INLINE void StripedToBlocked(const T (&input)[kItems], U (&output)[kItems]) {
    for (int i = 0; i < kItems; ++i) items_[i * kThreads + thread()] = input[i];
    __syncthreads();
    for (int i = 0; i < kItems; ++i) output[i] = items_[thread() * kItems + i];
  }
  template <class U>
  WORKBOOK_SIM_INLINE void BlockedToStriped(const T (&input)[kItems], U (&output)[kItems]) {
    for (int i = 0; i < kItems; ++i) items_[thread() * kItems + i] = input[i];
    __syncthreads();
    for (int i = 0; i < kItems; ++i) output[i] = items_[i * kThreads + thread()];
  }
  template <class U>
  WORKBOOK_SIM_INLINE void WarpStripedToBlocked(const T (&input)[kItems], U (&output)[kItems]) {
    for (int i = 0; i < kItems; ++i) items_[of_warp() + i * 32 + thread() % 32] = input[i];
    __syncwarp(workbook::sim::lanes_of_warp());
    for (int i = 0; i < kItems; ++i) output[i] = items_[thread() * kItems + i];
  }
  template <class U>
  WORKBOOK_SIM_INLINE void BlockedToWarpStriped(const T (&input)[kItems], U (&output)[kItems]) {
    for (int i = 0; i < kItems; ++i) items_[thread() * kItems + i] = input[i];
    __syncwarp(workbook::sim::lanes_of_warp());
    for (int i = 0; i < kItems; ++i) output[i] = items_[of_warp() + i * 32 + thread() % 32];
  }
  template <class U, class Rank>
  WORKBOOK_SIM_INLINE void ScatterToBlocked(const T (&input)[kItems], U (&output)[kItems],
                                            Rank (&ranks)[kItems]) {
    for (int i = 0; i < kItems; ++i) items_[ranks[i]] = input[i];
    __syncthreads();
    for (int i = 0; i < kItems; ++i) output[i] = items_[thread() * kItems + i];
  }
  template <class U, class Rank>
  WORKBOOK_SIM_INLINE void ScatterToStriped(const T (&input)[kItems], U (&output)[kItems],
                                            Rank (&ranks)[kItems]) {
    for (int i = 0; i < kItems; ++i) items_[ranks[i]] = input[i];
    __syncthreads();
    for (int i = 0; i < kItems; ++i) output[i] = items_[i * kThreads + thread()];
  }

 private:
  WORKBOOK_SIM_INLINE static int thread() { return static_cast<int>(workbook::sim::thread_in_block()); }
  WORKBOOK_SIM_INLINE static int of_warp() { return thread() / 32 * 32 * kItems; }
  T* items_;
};

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

}  // namespace cub

namespace workbook::sim {

/// Where item i of a thread lies in memory, by the order in which an algorithm touches memory.
enum class ItemOrder { blocked, striped, warp_striped };

WORKBOOK_SIM_INLINE int item_place(ItemOrder order, int thread, int threads, int items, int i) {
  switch (order) {
    case ItemOrder::blocked:
      return thread * items + i;
    case ItemOrder::striped:
      return i * threads + thread;
    case ItemOrder::warp_striped:
      return thread / 32 * 32 * items + i * 32 + thread % 32;
  }
  return 0;
}

template <class T>
WORKBOOK_SIM_INLINE bool fits_vectors(const T* pointer, int items) {
  return items * sizeof(T) % 16 == 0 && reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

}  // namespace workbook::sim

namespace cub {

template <class T, int kBlockX, int kItems, BlockLoadAlgorithm kAlgorithm = BLOCK_LOAD_DIRECT,
          int kBlockY = 1, int kBlockZ = 1>
class BlockLoad {
  static constexpr int kThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr bool kByWarps =
      kAlgorithm == BLOCK_LOAD_WARP_TRANSPOSE || kAlgorithm == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED;
  static constexpr bool kExchanges = kAlgorithm == BLOCK_LOAD_TRANSPOSE || kByWarps;
  static constexpr auto kOrder = kByWarps ? workbook::sim::ItemOrder::warp_striped
                                 : kAlgorithm == BLOCK_LOAD_STRIPED || kAlgorithm == BLOCK_LOAD_TRANSPOSE
                                     ? workbook::sim::ItemOrder::striped
                                     : workbook::sim::ItemOrder::blocked;
  using Exchange = BlockExchange<T, kBlockX, kItems, false, kBlockY, kBlockZ>;

 public:
  using TempStorage = std::conditional_t<kExchanges, typename Exchange::TempStorage, NullType>;
  WORKBOOK_SIM_INLINE BlockLoad() requires(!kExchanges) {}
  WORKBOOK_SIM_INLINE explicit BlockLoad(TempStorage& storage) : storage_(&storage) {}

  template <class Iterator>
  WORKBOOK_SIM_INLINE void Load(Iterator from, T (&items)[kItems]) {
    load(from, items, kThreads * kItems, [](int) {});
  }
  /// Items past the first `valid` keep what they have.
  template <class Iterator>
  WORKBOOK_SIM_INLINE void Load(Iterator from, T (&items)[kItems], int valid) {
    load(from, items, valid, [](int) {});
  }
  template <class Iterator, class Default>
  WORKBOOK_SIM_INLINE void Load(Iterator from, T (&items)[kItems], int valid, Default otherwise) {
    load(from, items, valid, [&](int i) { items[i] = otherwise; });
  }

 private:
  template <class Iterator, class Otherwise>
  WORKBOOK_SIM_INLINE void load(Iterator from, T (&items)[kItems], int valid, Otherwise otherwise) {
    const int thread = static_cast<int>(workbook::sim::thread_of_cub_block<kBlockX, kBlockY, kBlockZ>());
    if constexpr (kAlgorithm == BLOCK_LOAD_VECTORIZE && std::is_pointer_v<Iterator> &&
                  kItems * sizeof(T) % 16 == 0) {
      if (valid == kThreads * kItems && workbook::sim::fits_vectors(from, kItems)) {
        using Vector = typename workbook::sim::Whole<16>::type;
        const auto* vectors = reinterpret_cast<const Vector*>(from + thread * kItems);
        for (std::size_t v = 0; v < kItems * sizeof(T) / 16; ++v) {
          const Vector whole = vectors[v];
          __builtin_memcpy(reinterpret_cast<char*>(items) + 16 * v, &whole, 16);
        }
        return;
      }
    }
    for (int i = 0; i < kItems; ++i) {
      const int at = workbook::sim::item_place(kOrder, thread, kThreads, kItems, i);
      if (at < valid)
        items[i] = from[at];
      else
        otherwise(i);
    }
    if constexpr (kByWarps)
      Exchange(*storage_).WarpStripedToBlocked(items, items);
    else if constexpr (kExchanges)
      Exchange(*storage_).StripedToBlocked(items, items);
  }
  TempStorage* storage_ = nullptr;
};

template <class T, int kBlockX, int kItems, BlockStoreAlgorithm kAlgorithm = BLOCK_STORE_DIRECT,
          int kBlockY = 1, int kBlockZ = 1>
class BlockStore {
  static constexpr int kThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr bool kByWarps =
      kAlgorithm == BLOCK_STORE_WARP_TRANSPOSE || kAlgorithm == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED;
  static constexpr bool kExchanges = kAlgorithm == BLOCK_STORE_TRANSPOSE || kByWarps;
  static constexpr auto kOrder = kByWarps ? workbook::sim::ItemOrder::warp_striped
                                 : kAlgorithm == BLOCK_STORE_STRIPED || kAlgorithm == BLOCK_STORE_TRANSPOSE
                                     ? workbook::sim::ItemOrder::striped
                                     : workbook::sim::ItemOrder::blocked;
  using Exchange = BlockExchange<T, kBlockX, kItems, false, kBlockY, kBlockZ>;

 public:
  using TempStorage = std::conditional_t<kExchanges, typename Exchange::TempStorage, NullType>;
  WORKBOOK_SIM_INLINE BlockStore() requires(!kExchanges) {}
  WORKBOOK_SIM_INLINE explicit BlockStore(TempStorage& storage) : storage_(&storage) {}

  template <class Iterator>
  WORKBOOK_SIM_INLINE void Store(Iterator to, T (&items)[kItems]) {
    Store(to, items, kThreads * kItems);
  }
  /// Only the first `valid` of the block's items.
  template <class Iterator>
  WORKBOOK_SIM_INLINE void Store(Iterator to, T (&items)[kItems], int valid) {
    const int thread = static_cast<int>(workbook::sim::thread_of_cub_block<kBlockX, kBlockY, kBlockZ>());
    if constexpr (kAlgorithm == BLOCK_STORE_VECTORIZE && std::is_pointer_v<Iterator> &&
                  kItems * sizeof(T) % 16 == 0) {
      if (valid == kThreads * kItems && workbook::sim::fits_vectors(to, kItems)) {
        using Vector = typename workbook::sim::Whole<16>::type;
        auto* vectors = reinterpret_cast<Vector*>(to + thread * kItems);
        for (std::size_t v = 0; v < kItems * sizeof(T) / 16; ++v) {
          Vector whole;
          __builtin_memcpy(&whole, reinterpret_cast<const char*>(items) + 16 * v, 16);
          vectors[v] = whole;
        }
        return;
      }
    }
    if constexpr (kByWarps)
      Exchange(*storage_).BlockedToWarpStriped(items, items);
    else if constexpr (kExchanges)
      Exchange(*storage_).BlockedToStriped(items, items);
    for (int i = 0; i < kItems; ++i) {
      const int at = workbook::sim::item_place(kOrder, thread, kThreads, kItems, i);
      if (at < valid) to[at] = items[i];
    }
  }

 private:
  TempStorage* storage_ = nullptr;
};

}  // namespace cub
