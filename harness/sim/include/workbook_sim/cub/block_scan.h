// cub::BlockScan: each warp scans by shuffles, leaves its sum in shared memory, and after a barrier every
// thread adds those of the warps before its own. All named algorithms are this one.
#pragma once

#include "common.h"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int kBlockX, BlockScanAlgorithm kAlgorithm = BLOCK_SCAN_RAKING, int kBlockY = 1,
          int kBlockZ = 1>
class BlockScan {
  static constexpr int kThreads = kBlockX * kBlockY * kBlockZ, kWarps = (kThreads + 31) / 32;

 public:
  struct TempStorage {
    workbook::sim::Room<T, kWarps> warps;
    workbook::sim::Room<T, 1> prefix;
  };
  WORKBOOK_SIM_INLINE explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  // ---- one item a thread

  template <class Operation>
  WORKBOOK_SIM_INLINE void InclusiveScan(T input, T& output, Operation operation, T& aggregate) {
    output = scan(input, operation, aggregate).inclusive;
  }
  template <class Operation>
  WORKBOOK_SIM_INLINE void InclusiveScan(T input, T& output, Operation operation) {
    T aggregate;
    InclusiveScan(input, output, operation, aggregate);
  }
  /// Thread 0's output is undefined without an initial value.
  template <class Operation>
  WORKBOOK_SIM_INLINE void ExclusiveScan(T input, T& output, Operation operation, T& aggregate) {
    const T before = scan(input, operation, aggregate).exclusive;
    output =
        workbook::sim::result_where(workbook::sim::thread_in_block() != 0, before, workbook::sim::kOfScan);
  }
  template <class Operation>
  WORKBOOK_SIM_INLINE void ExclusiveScan(T input, T& output, Operation operation) {
    T aggregate;
    ExclusiveScan(input, output, operation, aggregate);
  }
  template <class Operation>
  WORKBOOK_SIM_INLINE void ExclusiveScan(T input, T& output, T initial, Operation operation, T& aggregate) {
    const T before = scan(input, operation, aggregate).exclusive;
    output = workbook::sim::thread_in_block() == 0 ? initial : operation(initial, before);
  }
  template <class Operation>
  WORKBOOK_SIM_INLINE void ExclusiveScan(T input, T& output, T initial, Operation operation) {
    T aggregate;
    ExclusiveScan(input, output, initial, operation, aggregate);
  }
  /// `callback(aggregate)` gives the prefix of the whole block; the first warp calls it, thread 0's answer
  /// counts.
  template <class Operation, class Callback>
  requires std::is_invocable_v<Callback&, T> WORKBOOK_SIM_INLINE void InclusiveScan(T input, T& output,
                                                                                    Operation operation,
                                                                                    Callback& callback) {
    T aggregate;
    const T inclusive = scan(input, operation, aggregate).inclusive;
    output = operation(block_prefix(aggregate, callback), inclusive);
  }
  template <class Operation, class Callback>
  requires std::is_invocable_v<Callback&, T> WORKBOOK_SIM_INLINE void ExclusiveScan(T input, T& output,
                                                                                    Operation operation,
                                                                                    Callback& callback) {
    T aggregate;
    const T before = scan(input, operation, aggregate).exclusive;
    const T prefix = block_prefix(aggregate, callback);
    output = workbook::sim::thread_in_block() == 0 ? prefix : operation(prefix, before);
  }

  // ---- several items a thread, in order

  template <int kItems, class Operation, class... More>
  WORKBOOK_SIM_INLINE void InclusiveScan(T (&input)[kItems], T (&output)[kItems], Operation operation,
                                         More&... more) {
    T before;
    ExclusiveScan(total(input, operation), before, operation, more...);
    bool first = workbook::sim::thread_in_block() == 0;
    if constexpr (sizeof...(More) == 1) first = first && !(std::is_invocable_v<More&, T> && ...);
    for (int i = 0; i < kItems; ++i)
      before = output[i] = first && i == 0 ? input[i] : operation(before, input[i]);
  }
  template <int kItems, class Operation, class... More>
  WORKBOOK_SIM_INLINE void ExclusiveScan(T (&input)[kItems], T (&output)[kItems], T initial,
                                         Operation operation, More&... more) {
    T before;
    ExclusiveScan(total(input, operation), before, initial, operation, more...);
    spread(input, output, before, operation);
  }
  template <int kItems, class Operation, class Callback>
  requires std::is_invocable_v<Callback&, T> WORKBOOK_SIM_INLINE void ExclusiveScan(T (&input)[kItems],
                                                                                    T (&output)[kItems],
                                                                                    Operation operation,
                                                                                    Callback& callback) {
    T before;
    ExclusiveScan(total(input, operation), before, operation, callback);
    spread(input, output, before, operation);
  }

  // ---- sums

  template <class... More>
  WORKBOOK_SIM_INLINE void InclusiveSum(T input, T& output, More&... more) {
    InclusiveScan(input, output, cub::Sum(), more...);
  }
  template <int kItems, class... More>
  WORKBOOK_SIM_INLINE void InclusiveSum(T (&input)[kItems], T (&output)[kItems], More&... more) {
    InclusiveScan(input, output, cub::Sum(), more...);
  }
  WORKBOOK_SIM_INLINE void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T{}, cub::Sum()); }
  WORKBOOK_SIM_INLINE void ExclusiveSum(T input, T& output, T& aggregate) {
    ExclusiveScan(input, output, T{}, cub::Sum(), aggregate);
  }
  template <class Callback>
  requires std::is_invocable_v<Callback&, T> WORKBOOK_SIM_INLINE void ExclusiveSum(T input, T& output,
                                                                                   Callback& callback) {
    ExclusiveScan(input, output, cub::Sum(), callback);
  }
  template <int kItems>
  WORKBOOK_SIM_INLINE void ExclusiveSum(T (&input)[kItems], T (&output)[kItems]) {
    ExclusiveScan(input, output, T{}, cub::Sum());
  }
  template <int kItems>
  WORKBOOK_SIM_INLINE void ExclusiveSum(T (&input)[kItems], T (&output)[kItems], T& aggregate) {
    ExclusiveScan(input, output, T{}, cub::Sum(), aggregate);
  }
  template <int kItems, class Callback>
  requires std::is_invocable_v<Callback&, T> WORKBOOK_SIM_INLINE void ExclusiveSum(T (&input)[kItems],
                                                                                   T (&output)[kItems],
                                                                                   Callback& callback) {
    ExclusiveScan(input, output, cub::Sum(), callback);
  }

 private:
  struct Both {
    T inclusive, exclusive;
  };

  template <class Operation>
  WORKBOOK_SIM_INLINE Both scan(const T& input, const Operation& operation, T& aggregate) {
    T* const sums = storage_.warps.data();
    const std::uint32_t mask = workbook::sim::lanes_of_warp();
    const int thread = static_cast<int>(workbook::sim::thread_of_cub_block<kBlockX, kBlockY, kBlockZ>()),
              lane = thread % 32;
    T inclusive = workbook::sim::warp_scan(mask, input, operation);
    T exclusive = workbook::sim::exchange(mask, inclusive, lane == 0 ? 0 : lane - 1);
    if (lane == 31 - __builtin_clz(mask)) sums[thread / 32] = inclusive;
    __syncthreads();
    aggregate = sums[0];
    for (int w = 1; w < kWarps; ++w) {
      if (w == thread / 32) {
        inclusive = operation(aggregate, inclusive);
        exclusive = lane == 0 ? aggregate : operation(aggregate, exclusive);
      }
      aggregate = operation(aggregate, sums[w]);
    }
    if (thread == 0) exclusive = input;
    return {inclusive, exclusive};
  }

  template <class Callback>
  WORKBOOK_SIM_INLINE T block_prefix(const T& aggregate, Callback& callback) {
    const unsigned int thread = workbook::sim::thread_in_block();
    if (thread < 32) {
      const T prefix = callback(aggregate);
      if (thread == 0) *storage_.prefix.data() = prefix;
    }
    __syncthreads();
    return *storage_.prefix.data();
  }

  template <int kItems, class Operation>
  WORKBOOK_SIM_INLINE static T total(T (&items)[kItems], const Operation& operation) {
    T sum = items[0];
    for (int i = 1; i < kItems; ++i) sum = operation(sum, items[i]);
    return sum;
  }
  template <int kItems, class Operation>
  WORKBOOK_SIM_INLINE static void spread(T (&input)[kItems], T (&output)[kItems], T before,
                                         const Operation& operation) {
    for (int i = 0; i < kItems; ++i) {
      const T item = input[i];
      output[i] = before;
      before = operation(before, item);
    }
  }

  TempStorage& storage_;
};

}  // namespace cub
