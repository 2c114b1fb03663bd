// Puzzle 34: the group of a cluster's blocks where a GPU has no clusters.
#pragma once

#include <cooperative_groups.h>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
// CUDA's header names no clusters where a GPU has none. With this the file compiles for those as well; the
// launches are refused there.
namespace cooperative_groups {
struct cluster_group {
  __device__ static void sync() {}
  __device__ static void barrier_arrive() {}
  __device__ static void barrier_wait() {}
  __device__ static unsigned int block_rank() { return 0; }
  __device__ static unsigned int num_blocks() { return 1; }
  template <class T>
  __device__ static T* map_shared_rank(T* address, int) {
    return address;
  }
};
__device__ inline cluster_group this_cluster() { return {}; }
}  // namespace cooperative_groups
#endif
