// What the simulator's equivalents of CUB share. NVIDIA's own headers need nvcc's intrinsics; g++ 12 stops at
//   cub/warp/specializations/warp_exchange_shfl.cuh: error: 'get_sreg_laneid' is not a member of 'cuda::ptx'
// These have the same interface, really keep their temporary storage in shared memory and really meet at
// barriers, so that storage used again without __syncthreads() is found as a race.
#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "../attributes.h"
#include "../builtins.h"
#include "../engine_api.h"
#include "../groups/lanes.h"
#include "../groups/place.h"
#include "../runtime_api.h"
#include "../unset.h"

namespace cub {

struct NullType {};

struct Sum {
  template <class T, class U>
  WORKBOOK_SIM_INLINE auto operator()(const T& a, const U& b) const {
    return static_cast<std::common_type_t<T, U>>(a + b);
  }
};
struct Max {
  template <class T, class U>
  WORKBOOK_SIM_INLINE std::common_type_t<T, U> operator()(const T& a, const U& b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T, class U>
  WORKBOOK_SIM_INLINE std::common_type_t<T, U> operator()(const T& a, const U& b) const {
    return b < a ? b : a;
  }
};

template <class Key, class Value>
struct KeyValuePair {
  using Key_ = Key;
  using Value_ = Value;
  Key key;
  Value value;
};

/// Of pairs (place, value): the one with the larger value, the earlier of equals.
struct ArgMax {
  template <class Pair>
  WORKBOOK_SIM_INLINE Pair operator()(const Pair& a, const Pair& b) const {
    return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class Pair>
  WORKBOOK_SIM_INLINE Pair operator()(const Pair& a, const Pair& b) const {
    return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};

WORKBOOK_SIM_INLINE unsigned int LaneId() { return workbook::sim::lane_in_warp(); }
WORKBOOK_SIM_INLINE unsigned int WarpId() { return workbook::sim::thread_in_block() / 32u; }
template <class T, class U>
constexpr auto DivideAndRoundUp(T a, U b) {
  return (a + b - 1) / b;
}

}  // namespace cub

namespace workbook::sim {

/// CUB numbers the threads of a block by the extents that its templates are given, whatever the block has:
/// with others several threads are one to it, and store over each other.
template <int kX, int kY, int kZ>
WORKBOOK_SIM_INLINE unsigned int thread_of_cub_block() {
  const unsigned int thread = (kZ == 1 ? 0u : threadIdx.z * static_cast<unsigned int>(kX * kY)) +
                              (kY == 1 ? 0u : threadIdx.y * static_cast<unsigned int>(kX)) + threadIdx.x;
  if (thread != thread_in_block())
    workbook_sim_refuse(
        "CUB takes this thread for another one of its block, for the template is given other extents "
        "(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z) than the block has");
  return thread;
}

/// Room for kCount objects in temporary storage, of any type: nothing is constructed in it.
template <class T, int kCount>
struct Room {
  alignas(T) unsigned char bytes[sizeof(T) * kCount];
  WORKBOOK_SIM_INLINE T* data() { return reinterpret_cast<T*>(bytes); }
};

/// What a lane brings to the collectives of a warp: its value, whether it counts, and whether a segment
/// begins (or ends) with it.
template <class T, class Operation>
struct WarpShare {
  T value;
  const Operation* operation;
  bool counts;
  bool begins;
  bool ends;
};

/// Each lane that begins a segment gets the sum of the segment; the others keep what they had.
template <class T, class Operation>
WORKBOOK_SIM_UNTRACED void reduce_segments(void* const* lanes, std::uint32_t) {
  using Share = WarpShare<T, Operation>;
  Share* head = nullptr;
  for (int lane = 0; lane < 32; ++lane) {
    auto* share = static_cast<Share*>(lanes[lane]);
    if (share == nullptr || !share->counts) continue;
    if (head == nullptr || share->begins)
      head = share;
    else
      head->value = (*share->operation)(head->value, share->value);
    if (share->ends) head = nullptr;
  }
}

/// Each lane gets the sum of its segment up to itself.
template <class T, class Operation>
WORKBOOK_SIM_UNTRACED void scan_segments(void* const* lanes, std::uint32_t) {
  using Share = WarpShare<T, Operation>;
  Share* before = nullptr;
  for (int lane = 0; lane < 32; ++lane) {
    auto* share = static_cast<Share*>(lanes[lane]);
    if (share == nullptr) continue;
    if (before != nullptr && !share->begins) share->value = (*share->operation)(before->value, share->value);
    before = share;
  }
}

/// The lanes of the calling lane's logical warp of `size` lanes.
WORKBOOK_SIM_INLINE std::uint32_t logical_warp(unsigned int size) {
  const std::uint32_t low = size >= 32u ? 0xffffffffu : (1u << size) - 1u;
  return low << lane_in_warp() / size * size & lanes_of_warp();
}

template <class T, class Operation>
WORKBOOK_SIM_INLINE T warp_reduce(std::uint32_t mask, const T& value, const Operation& operation,
                                  bool counts = true, bool begins = false, bool ends = false) {
  WarpShare<T, Operation> mine{value, &operation, counts, begins, ends};
  workbook_sim_warp_collective(mask, &mine, &reduce_segments<T, Operation>);
  return mine.value;
}
template <class T, class Operation>
WORKBOOK_SIM_INLINE T warp_scan(std::uint32_t mask, const T& value, const Operation& operation) {
  WarpShare<T, Operation> mine{value, &operation, true, false, false};
  workbook_sim_warp_collective(mask, &mine, &scan_segments<T, Operation>);
  return mine.value;
}

}  // namespace workbook::sim

#define CubDebug(error) (error)
#define CubDebugExit(error)                                                                        \
  do {                                                                                             \
    if (const cudaError_t workbook_error = (error); workbook_error != cudaSuccess) {               \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(workbook_error)); \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)
