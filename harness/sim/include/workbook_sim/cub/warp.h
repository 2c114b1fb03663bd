// cub::WarpReduce and cub::WarpScan: by shuffles on a GPU; their temporary storage holds nothing, and may all
// the same not be used again before a __syncwarp().
#pragma once

#include "common.h"

namespace cub {

/// Collectives of kThreads lanes. Results are defined in the first lane (of the warp, of a segment) only.
template <class T, int kThreads = 32>
class WarpReduce {
  static_assert(kThreads >= 1 && kThreads <= 32, "a logical warp has 1 to 32 lanes");

 public:
  struct TempStorage {};
  WORKBOOK_SIM_INLINE explicit WarpReduce(TempStorage& storage) {
#if WORKBOOK_SIM_IS_TRACED
    workbook_sim_warp_storage(&storage, kThreads);
#endif
  }

  WORKBOOK_SIM_INLINE T Sum(T input) { return Reduce(input, cub::Sum()); }
  WORKBOOK_SIM_INLINE T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
  WORKBOOK_SIM_INLINE T Max(T input) { return Reduce(input, cub::Max()); }
  WORKBOOK_SIM_INLINE T Min(T input) { return Reduce(input, cub::Min()); }
  template <class Operation>
  WORKBOOK_SIM_INLINE T Reduce(T input, Operation operation) {
    return defined_in_first(workbook::sim::warp_reduce(mask(), input, operation));
  }
  template <class Operation>
  WORKBOOK_SIM_INLINE T Reduce(T input, Operation operation, int valid) {
    return defined_in_first(workbook::sim::warp_reduce(mask(), input, operation, rank() < valid));
  }
  template <class Flag>
  WORKBOOK_SIM_INLINE T HeadSegmentedSum(T input, Flag head) {
    return HeadSegmentedReduce(input, head, cub::Sum());
  }
  template <class Flag>
  WORKBOOK_SIM_INLINE T TailSegmentedSum(T input, Flag tail) {
    return TailSegmentedReduce(input, tail, cub::Sum());
  }
  template <class Flag, class Operation>
  WORKBOOK_SIM_INLINE T HeadSegmentedReduce(T input, Flag head, Operation operation) {
    return workbook::sim::warp_reduce(mask(), input, operation, true, static_cast<bool>(head));
  }
  template <class Flag, class Operation>
  WORKBOOK_SIM_INLINE T TailSegmentedReduce(T input, Flag tail, Operation operation) {
    return workbook::sim::warp_reduce(mask(), input, operation, true, false, static_cast<bool>(tail));
  }

 private:
  WORKBOOK_SIM_INLINE static T defined_in_first(T value) {
    return workbook::sim::result_where(rank() == 0, value, workbook::sim::kOfWarpReduce);
  }
  WORKBOOK_SIM_INLINE static std::uint32_t mask() { return workbook::sim::logical_warp(kThreads); }
  WORKBOOK_SIM_INLINE static int rank() { return static_cast<int>(workbook::sim::lane_in_warp() % kThreads); }
};

template <class T, int kThreads = 32>
class WarpScan {
  static_assert(kThreads >= 1 && kThreads <= 32, "a logical warp has 1 to 32 lanes");

 public:
  struct TempStorage {};
  WORKBOOK_SIM_INLINE explicit WarpScan(TempStorage& storage) {
#if WORKBOOK_SIM_IS_TRACED
    workbook_sim_warp_storage(&storage, kThreads);
#endif
  }

  WORKBOOK_SIM_INLINE void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  WORKBOOK_SIM_INLINE void InclusiveSum(T input, T& output, T& aggregate) {
    InclusiveScan(input, output, cub::Sum(), aggregate);
  }
  WORKBOOK_SIM_INLINE void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T{}, cub::Sum()); }
  WORKBOOK_SIM_INLINE void ExclusiveSum(T input, T& output, T& aggregate) {
    ExclusiveScan(input, output, T{}, cub::Sum(), aggregate);
  }
  template <class Operation>
  WORKBOOK_SIM_INLINE void InclusiveScan(T input, T& output, Operation operation) {
    output = workbook::sim::warp_scan(mask(), input, operation);
  }
  template <class Operation>
  WORKBOOK_SIM_INLINE void InclusiveScan(T input, T& output, Operation operation, T& aggregate) {
    output = workbook::sim::warp_scan(mask(), input, operation);
    aggregate = workbook::sim::exchange(mask(), output, 31 - __builtin_clz(mask()));
  }
  /// The first lane's output is undefined without an initial value.
  template <class Operation>
  WORKBOOK_SIM_INLINE void ExclusiveScan(T input, T& output, Operation operation) {
    shift(workbook::sim::warp_scan(mask(), input, operation), input, output);
    output = workbook::sim::result_where(rank() != 0, output, workbook::sim::kOfScan);
  }
  template <class Operation>
  WORKBOOK_SIM_INLINE void ExclusiveScan(T input, T& output, T initial, Operation operation) {
    T before = initial;
    shift(workbook::sim::warp_scan(mask(), input, operation), initial, before);
    output = rank() == 0 ? initial : operation(initial, before);
  }
  template <class Operation>
  WORKBOOK_SIM_INLINE void ExclusiveScan(T input, T& output, T initial, Operation operation, T& aggregate) {
    T inclusive = workbook::sim::warp_scan(mask(), input, operation), before = initial;
    aggregate = workbook::sim::exchange(mask(), inclusive, 31 - __builtin_clz(mask()));
    shift(inclusive, initial, before);
    output = rank() == 0 ? initial : operation(initial, before);
  }
  template <class Operation>
  WORKBOOK_SIM_INLINE void Scan(T input, T& inclusive, T& exclusive, Operation operation) {
    inclusive = workbook::sim::warp_scan(mask(), input, operation);
    shift(inclusive, input, exclusive);
  }
  WORKBOOK_SIM_INLINE T Broadcast(T input, unsigned int source) {
    return workbook::sim::exchange(mask(), input, static_cast<int>(first() + source % kThreads));
  }

 private:
  WORKBOOK_SIM_INLINE static std::uint32_t mask() { return workbook::sim::logical_warp(kThreads); }
  WORKBOOK_SIM_INLINE static unsigned int first() {
    return workbook::sim::lane_in_warp() / kThreads * kThreads;
  }
  WORKBOOK_SIM_INLINE static int rank() { return static_cast<int>(workbook::sim::lane_in_warp() % kThreads); }
  /// The value of the lane before; `otherwise` for the first.
  WORKBOOK_SIM_INLINE static void shift(const T& value, const T& otherwise, T& output) {
    const int lane = static_cast<int>(workbook::sim::lane_in_warp());
    const T before = workbook::sim::exchange(mask(), value, rank() == 0 ? lane : lane - 1);
    output = rank() == 0 ? otherwise : before;
  }
};

}  // namespace cub
