// Cooperative groups: the block, the grid, the cluster, tiles of a warp and coalesced threads, with the names
// of the CUDA C++ Programming Guide, "Cooperative Groups". Tiles of more than 32 threads
// are in tile_of_warps.h.
#pragma once

#include <cstdint>
#include <type_traits>

#include "../engine_api.h"
#include "lanes.h"
#include "tile_of_warps.h"

namespace cooperative_groups {

/// Any of the groups below, as functions take one that work for all.
class thread_group {
 public:
  WORKBOOK_SIM_INLINE void sync() const {
    switch (kind_) {
      case Kind::block:
        return workbook_sim_syncthreads();
      case Kind::grid:
        return workbook_sim_grid_sync();
      case Kind::lanes:
        return __syncwarp(mask_);
    }
  }
  WORKBOOK_SIM_INLINE unsigned long long thread_rank() const {
    using namespace workbook::sim;
    switch (kind_) {
      case Kind::block:
        return thread_in_block();
      case Kind::grid:
        return static_cast<unsigned long long>(rank_in(blockIdx, gridDim)) * threads_of_block() +
               thread_in_block();
      case Kind::lanes:
        return rank_in_mask(mask_, lane_in_warp());
    }
    return 0;
  }
  WORKBOOK_SIM_INLINE unsigned long long size() const {
    using namespace workbook::sim;
    switch (kind_) {
      case Kind::block:
        return threads_of_block();
      case Kind::grid:
        return static_cast<unsigned long long>(count_of(gridDim)) * threads_of_block();
      case Kind::lanes:
        return static_cast<unsigned int>(__builtin_popcount(mask_));
    }
    return 0;
  }
  WORKBOOK_SIM_INLINE unsigned long long num_threads() const { return size(); }

 protected:
  enum class Kind : unsigned char { block, grid, lanes };
  WORKBOOK_SIM_INLINE explicit thread_group(Kind kind, std::uint32_t mask = 0) : kind_(kind), mask_(mask) {}
  Kind kind_;
  std::uint32_t mask_;

 private:
  friend class coalesced_group;
  friend class thread_block;
  template <unsigned int kSize>
  friend class tile_of_lanes;
  friend thread_group tiled_partition(const thread_group& parent, unsigned int size);
};

class thread_block : public thread_group {
 public:
  struct arrival_token {};
  WORKBOOK_SIM_INLINE thread_block() : thread_group(Kind::block) {}

  WORKBOOK_SIM_INLINE static void sync() { workbook_sim_syncthreads(); }
  WORKBOOK_SIM_INLINE static unsigned int thread_rank() { return workbook::sim::thread_in_block(); }
  WORKBOOK_SIM_INLINE static dim3 group_index() { return blockIdx; }
  WORKBOOK_SIM_INLINE static dim3 thread_index() { return threadIdx; }
  WORKBOOK_SIM_INLINE static dim3 group_dim() { return blockDim; }
  WORKBOOK_SIM_INLINE static dim3 dim_threads() { return blockDim; }
  WORKBOOK_SIM_INLINE static unsigned int size() { return workbook::sim::threads_of_block(); }
  WORKBOOK_SIM_INLINE static unsigned int num_threads() { return size(); }
  // Arriving costs nothing here; waiting is the whole barrier.
  WORKBOOK_SIM_INLINE static arrival_token barrier_arrive() { return {}; }
  WORKBOOK_SIM_INLINE static void barrier_wait(arrival_token&&) { workbook_sim_syncthreads(); }
};

class grid_group : public thread_group {
 public:
  struct arrival_token {};
  WORKBOOK_SIM_INLINE grid_group() : thread_group(Kind::grid) {}

  /// Whether the launch was a cooperative one, which sync() needs.
  WORKBOOK_SIM_INLINE bool is_valid() const { return workbook_sim_grid_is_cooperative(); }
  WORKBOOK_SIM_INLINE void sync() const { workbook_sim_grid_sync(); }
  WORKBOOK_SIM_INLINE arrival_token barrier_arrive() const { return {}; }
  WORKBOOK_SIM_INLINE void barrier_wait(arrival_token&&) const { workbook_sim_grid_sync(); }
  WORKBOOK_SIM_INLINE static dim3 group_dim() { return gridDim; }
  WORKBOOK_SIM_INLINE static dim3 dim_blocks() { return gridDim; }
  WORKBOOK_SIM_INLINE static dim3 block_index() { return blockIdx; }
  WORKBOOK_SIM_INLINE static unsigned long long num_blocks() { return workbook::sim::count_of(gridDim); }
  WORKBOOK_SIM_INLINE static unsigned long long block_rank() {
    return workbook::sim::rank_in(blockIdx, gridDim);
  }
  WORKBOOK_SIM_INLINE static dim3 thread_index() {
    return {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
            blockIdx.z * blockDim.z + threadIdx.z};
  }
  WORKBOOK_SIM_INLINE static dim3 dim_threads() {
    return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z};
  }
  WORKBOOK_SIM_INLINE static dim3 dim_clusters() {
    const uint3 cluster = workbook::sim::cluster_extent();
    return {gridDim.x / cluster.x, gridDim.y / cluster.y, gridDim.z / cluster.z};
  }
  WORKBOOK_SIM_INLINE static dim3 cluster_index() {
    const uint3 cluster = workbook::sim::cluster_extent();
    return {blockIdx.x / cluster.x, blockIdx.y / cluster.y, blockIdx.z / cluster.z};
  }
  WORKBOOK_SIM_INLINE static unsigned long long num_clusters() {
    return workbook::sim::count_of(dim_clusters());
  }
  WORKBOOK_SIM_INLINE static unsigned long long cluster_rank() {
    return workbook::sim::rank_in(cluster_index(), dim_clusters());
  }
};

/// The blocks of one cluster (compute capability 9.0).
class cluster_group {
 public:
  struct arrival_token {};
  WORKBOOK_SIM_INLINE static void sync() {
    workbook_sim_cluster_arrive();
    workbook_sim_cluster_wait();
  }
  WORKBOOK_SIM_INLINE static arrival_token barrier_arrive() {
    workbook_sim_cluster_arrive();
    return {};
  }
  WORKBOOK_SIM_INLINE static void barrier_wait() { workbook_sim_cluster_wait(); }
  WORKBOOK_SIM_INLINE static void barrier_wait(arrival_token&&) { workbook_sim_cluster_wait(); }
  WORKBOOK_SIM_INLINE static dim3 dim_blocks() { return workbook::sim::cluster_extent(); }
  WORKBOOK_SIM_INLINE static unsigned int num_blocks() {
    return workbook::sim::count_of(workbook::sim::cluster_extent());
  }
  WORKBOOK_SIM_INLINE static unsigned int block_rank() { return workbook_sim_cluster_block_rank(); }
  WORKBOOK_SIM_INLINE static dim3 block_index() {
    const uint3 cluster = workbook::sim::cluster_extent();
    return {blockIdx.x % cluster.x, blockIdx.y % cluster.y, blockIdx.z % cluster.z};
  }
  WORKBOOK_SIM_INLINE static dim3 dim_threads() {
    const uint3 cluster = workbook::sim::cluster_extent();
    return {cluster.x * blockDim.x, cluster.y * blockDim.y, cluster.z * blockDim.z};
  }
  WORKBOOK_SIM_INLINE static dim3 thread_index() {
    const dim3 block = block_index();
    return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
            block.z * blockDim.z + threadIdx.z};
  }
  WORKBOOK_SIM_INLINE static unsigned int thread_rank() {
    return block_rank() * workbook::sim::threads_of_block() + workbook::sim::thread_in_block();
  }
  WORKBOOK_SIM_INLINE static unsigned int num_threads() {
    return num_blocks() * workbook::sim::threads_of_block();
  }
  WORKBOOK_SIM_INLINE static unsigned int size() { return num_threads(); }
  /// Where `address`, in the calling block's shared memory, lies in the block of that rank.
  template <class T>
  WORKBOOK_SIM_INLINE static T* map_shared_rank(T* address, int rank) {
    return static_cast<T*>(workbook_sim_map_shared_rank(address, static_cast<unsigned int>(rank)));
  }
};

/// kSize threads of a warp, next to each other.
template <unsigned int kSize>
class tile_of_lanes : public lane_group {
 public:
  WORKBOOK_SIM_INLINE tile_of_lanes(std::uint32_t mask, unsigned int meta_rank, unsigned int meta_size)
      : lane_group(mask, meta_rank, meta_size) {}
  WORKBOOK_SIM_INLINE operator thread_group() const { return thread_group(thread_group::Kind::lanes, mask_); }
  static constexpr unsigned int size() { return kSize; }
  static constexpr unsigned int num_threads() { return kSize; }
  WORKBOOK_SIM_INLINE static unsigned int thread_rank() { return workbook::sim::thread_in_block() % kSize; }

  template <class T>
  WORKBOOK_SIM_INLINE T shfl(const T& value, int rank) const {
    return workbook::sim::exchange(mask_, value, first_lane() + (rank & static_cast<int>(kSize - 1)));
  }
  template <class T>
  WORKBOOK_SIM_INLINE T shfl_up(const T& value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    if (delta >= kSize) workbook_sim_shuffle_past(delta, kSize);
    return workbook::sim::exchange(mask_, value,
                                   first_lane() + static_cast<int>(rank >= delta ? rank - delta : rank));
  }
  template <class T>
  WORKBOOK_SIM_INLINE T shfl_down(const T& value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    if (delta >= kSize) workbook_sim_shuffle_past(delta, kSize);
    return workbook::sim::exchange(
        mask_, value, first_lane() + static_cast<int>(rank + delta < kSize ? rank + delta : rank));
  }
  template <class T>
  WORKBOOK_SIM_INLINE T shfl_xor(const T& value, unsigned int lane_mask) const {
    const unsigned int rank = thread_rank() ^ lane_mask;
    return workbook::sim::exchange(mask_, value,
                                   first_lane() + static_cast<int>(rank < kSize ? rank : thread_rank()));
  }

 private:
  WORKBOOK_SIM_INLINE static int first_lane() {
    return static_cast<int>(workbook::sim::lane_in_warp() & ~(kSize - 1u));
  }
};

/// kSize threads of a block, next to each other.
template <unsigned int kSize, class Parent = void>
class thread_block_tile : public std::conditional_t<kSize <= 32, tile_of_lanes<kSize>, tile_of_warps<kSize>> {
  static_assert(kSize > 0 && (kSize & (kSize - 1)) == 0 && kSize <= 1024,
                "the size of a tile is a power of two up to 1024");
  using Threads = std::conditional_t<kSize <= 32, tile_of_lanes<kSize>, tile_of_warps<kSize>>;

 public:
  using Threads::Threads;
  template <class Other>
  WORKBOOK_SIM_INLINE thread_block_tile(const thread_block_tile<kSize, Other>& other) : Threads(other) {}
};

/// Threads of a warp that happen to run together.
class coalesced_group : public lane_group {
 public:
  using lane_group::lane_group;
  WORKBOOK_SIM_INLINE operator thread_group() const { return thread_group(thread_group::Kind::lanes, mask_); }
  WORKBOOK_SIM_INLINE unsigned int size() const { return count(); }
  WORKBOOK_SIM_INLINE unsigned int num_threads() const { return count(); }
};

WORKBOOK_SIM_INLINE thread_block this_thread_block() { return {}; }
/// Shared memory by which tiles of several warps meet on a GPU; the engine needs none.
template <unsigned int kMaxBlockSize = 1024>
struct block_tile_memory {
  unsigned char place[8];
};
template <unsigned int kMaxBlockSize>
WORKBOOK_SIM_INLINE thread_block this_thread_block(block_tile_memory<kMaxBlockSize>&) {
  return {};
}
WORKBOOK_SIM_INLINE grid_group this_grid() { return {}; }
WORKBOOK_SIM_INLINE cluster_group this_cluster() { return {}; }
WORKBOOK_SIM_INLINE coalesced_group coalesced_threads() {
  return coalesced_group(workbook_sim_converged_lanes());
}
WORKBOOK_SIM_INLINE thread_block_tile<1> this_thread() {
  return {1u << workbook::sim::lane_in_warp(), workbook::sim::thread_in_block(),
          workbook::sim::threads_of_block()};
}

// ---- the same questions for any group

template <class Group>
WORKBOOK_SIM_INLINE void sync(const Group& group) {
  group.sync();
}
template <class Group>
WORKBOOK_SIM_INLINE auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
WORKBOOK_SIM_INLINE auto group_size(const Group& group) {
  return group.size();
}

template <class Never = void>
void this_multi_grid() {
  static_assert(!sizeof(Never*),
                "multi_grid_group spans several GPUs: the simulator has one, as CUDA 13 has");
}

}  // namespace cooperative_groups
