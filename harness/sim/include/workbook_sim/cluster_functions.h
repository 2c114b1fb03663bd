// Addresses of the state spaces, and thread block clusters, as functions without a class: what
// sm_20_intrinsics.h and sm_90_rt.h have in the toolkit.
#pragma once

#include "engine_api.h"
#include "groups/place.h"

/// There is one space of addresses here, but for shared memory's 32 bits.
WORKBOOK_SIM_INLINE std::size_t __cvta_generic_to_global(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
WORKBOOK_SIM_INLINE std::size_t __cvta_generic_to_local(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
WORKBOOK_SIM_INLINE std::size_t __cvta_generic_to_constant(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
WORKBOOK_SIM_INLINE std::size_t __cvta_generic_to_grid_constant(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
WORKBOOK_SIM_INLINE void* __cvta_global_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
WORKBOOK_SIM_INLINE void* __cvta_local_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
WORKBOOK_SIM_INLINE void* __cvta_constant_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
WORKBOOK_SIM_INLINE void* __cvta_grid_constant_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
WORKBOOK_SIM_INLINE void* __cvta_shared_to_generic(std::size_t address) {
  return const_cast<void*>(workbook_sim_shared_address(address));
}

WORKBOOK_SIM_INLINE void __cluster_barrier_arrive() { workbook_sim_cluster_arrive(); }
WORKBOOK_SIM_INLINE void __cluster_barrier_wait() { workbook_sim_cluster_wait(); }
WORKBOOK_SIM_INLINE void* __cluster_map_shared_rank(const void* address, unsigned int rank) {
  return workbook_sim_map_shared_rank(address, rank);
}
WORKBOOK_SIM_INLINE unsigned int __clusterRelativeBlockRank() { return workbook_sim_cluster_block_rank(); }
WORKBOOK_SIM_INLINE unsigned int __clusterSizeInBlocks() {
  return static_cast<unsigned int>(workbook::sim::count_of(workbook::sim::cluster_extent()));
}
