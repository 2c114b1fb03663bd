// cub::BlockReduce: each warp reduces by shuffles, leaves its sum in shared memory, and after a barrier the
// first thread adds those. All named algorithms are this one: their results differ in the order of additions.
#pragma once

#include "common.h"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};

/// The result is defined in thread 0 only; what the others get is nobody's (unset.h).
template <class T, int kBlockX, BlockReduceAlgorithm kAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int kBlockY = 1, int kBlockZ = 1>
class BlockReduce {
  static constexpr int kThreads = kBlockX * kBlockY * kBlockZ, kWarps = (kThreads + 31) / 32;

 public:
  struct TempStorage {
    workbook::sim::Room<T, kWarps> warps;
  };
  WORKBOOK_SIM_INLINE explicit BlockReduce(TempStorage& storage) : sums_(storage.warps.data()) {}

  WORKBOOK_SIM_INLINE T Sum(T input) { return Reduce(input, cub::Sum()); }
  WORKBOOK_SIM_INLINE T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
  template <int kItems>
  WORKBOOK_SIM_INLINE T Sum(T (&inputs)[kItems]) {
    return Reduce(inputs, cub::Sum());
  }
  template <class Operation>
  WORKBOOK_SIM_INLINE T Reduce(T input, Operation operation) {
    return Reduce(input, operation, kThreads);
  }
  template <int kItems, class Operation>
  WORKBOOK_SIM_INLINE T Reduce(T (&inputs)[kItems], Operation operation) {
    T sum = inputs[0];
    for (int i = 1; i < kItems; ++i) sum = operation(sum, inputs[i]);
    return Reduce(sum, operation);
  }
  /// Of the first `valid` threads' inputs.
  template <class Operation>
  WORKBOOK_SIM_INLINE T Reduce(T input, Operation operation, int valid) {
    const int thread = static_cast<int>(workbook::sim::thread_of_cub_block<kBlockX, kBlockY, kBlockZ>());
    T sum = workbook::sim::warp_reduce(workbook::sim::lanes_of_warp(), input, operation, thread < valid);
    if (thread % 32 == 0) sums_[thread / 32] = sum;
    __syncthreads();
    if (thread == 0)
      for (int w = 1; w < kWarps && 32 * w < valid; ++w) sum = operation(sum, sums_[w]);
    return workbook::sim::result_where(thread == 0, sum, workbook::sim::kOfBlockReduce);
  }

 private:
  T* sums_;
};

}  // namespace cub
