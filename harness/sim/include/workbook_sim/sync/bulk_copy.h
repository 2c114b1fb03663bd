// cuda::ptx and cuda::device::experimental: barriers in shared memory and bulk copies as functions named
// after PTX.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ptx_barriers.h"
#include "barrier.h"

namespace cuda {

namespace ptx {

struct space_global_t {};
struct space_shared_t {};
struct space_cluster_t {};
struct sem_relaxed_t {};
struct sem_release_t {};
struct sem_acquire_t {};
struct scope_cta_t {};
struct scope_cluster_t {};
inline constexpr space_global_t space_global{};
inline constexpr space_shared_t space_shared{};
inline constexpr space_cluster_t space_cluster{};
inline constexpr sem_relaxed_t sem_relaxed{};
inline constexpr sem_release_t sem_release{};
inline constexpr sem_acquire_t sem_acquire{};
inline constexpr scope_cta_t scope_cta{};
inline constexpr scope_cluster_t scope_cluster{};
template <int kNumber>
struct n32_t {};

WORKBOOK_SIM_INLINE void mbarrier_init(::std::uint64_t* barrier, ::std::uint32_t count) {
  workbook::sim::ptx::barrier_init<::std::uint64_t>(barrier, count);
}
WORKBOOK_SIM_INLINE ::std::uint64_t mbarrier_arrive(::std::uint64_t* barrier) {
  return workbook::sim::ptx::barrier_arrive_at<::std::uint64_t>(barrier);
}
template <class Order, class Scope>
WORKBOOK_SIM_INLINE ::std::uint64_t mbarrier_arrive(Order, Scope, space_shared_t, ::std::uint64_t* barrier,
                                                    ::std::uint32_t count = 1) {
  return workbook::sim::ptx::barrier_arrive_at<::std::uint64_t>(barrier, count);
}
template <class Order, class Scope>
WORKBOOK_SIM_INLINE ::std::uint64_t mbarrier_arrive_expect_tx(Order, Scope, space_shared_t,
                                                              ::std::uint64_t* barrier,
                                                              ::std::uint32_t bytes) {
  return workbook::sim::ptx::barrier_arrive_expect<::std::uint64_t>(barrier, bytes);
}
template <class Order, class Scope>
WORKBOOK_SIM_INLINE void mbarrier_expect_tx(Order, Scope, space_shared_t, ::std::uint64_t* barrier,
                                            ::std::uint32_t bytes) {
  workbook::sim::ptx::barrier_expect<::std::uint64_t>(barrier, bytes);
}
WORKBOOK_SIM_INLINE bool mbarrier_test_wait(::std::uint64_t* barrier, ::std::uint64_t phase) {
  return workbook::sim::ptx::barrier_test<::std::uint64_t>(barrier, phase);
}
WORKBOOK_SIM_INLINE bool mbarrier_test_wait_parity(::std::uint64_t* barrier, ::std::uint32_t parity) {
  return workbook::sim::ptx::barrier_test<::std::uint64_t>(barrier, parity);
}
WORKBOOK_SIM_INLINE bool mbarrier_try_wait(::std::uint64_t* barrier, ::std::uint64_t phase) {
  return workbook::sim::ptx::barrier_try<::std::uint64_t>(barrier, phase);
}
WORKBOOK_SIM_INLINE bool mbarrier_try_wait_parity(::std::uint64_t* barrier, ::std::uint32_t parity) {
  return workbook::sim::ptx::barrier_try<::std::uint64_t>(barrier, parity);
}

/// `Space`: of shared memory, the block's or the cluster's.
template <class Space>
WORKBOOK_SIM_INLINE void cp_async_bulk(Space, space_global_t, void* to, const void* from,
                                       ::std::uint32_t bytes, ::std::uint64_t* barrier) {
  workbook::sim::ptx::bulk_copy_to_shared(to, from, bytes, barrier);
}
WORKBOOK_SIM_INLINE void cp_async_bulk(space_global_t, space_shared_t, void* to, const void* from,
                                       ::std::uint32_t bytes) {
  workbook::sim::ptx::bulk_copy_to_global(to, from, bytes);
}
/// By a tensor map, 1 to 5 dimensions. `blocks`: of the cluster, a bit for each that gets the box.
template <class Space, int kRank>
WORKBOOK_SIM_INLINE void cp_async_bulk_tensor(Space, space_global_t, void* to, const void* map,
                                              const ::std::int32_t (&at)[kRank], ::std::uint64_t* barrier,
                                              ::std::uint16_t blocks = 0) {
  workbook::sim::ptx::tensor_load_at(to, map, barrier, blocks, kRank, at);
}
template <int kRank>
WORKBOOK_SIM_INLINE void cp_async_bulk_tensor(space_global_t, space_shared_t, const void* map,
                                              const ::std::int32_t (&at)[kRank], const void* from) {
  workbook_sim_tensor_store(map, kRank, at, from);
}
WORKBOOK_SIM_INLINE void cp_async_bulk_commit_group() { workbook_sim_bulk_commit(); }
template <int kGroups>
WORKBOOK_SIM_INLINE void cp_async_bulk_wait_group(n32_t<kGroups>) {
  workbook_sim_bulk_wait(kGroups);
}
template <int kGroups>
WORKBOOK_SIM_INLINE void cp_async_bulk_wait_group_read(n32_t<kGroups>) {
  workbook_sim_bulk_wait(kGroups);
}
WORKBOOK_SIM_INLINE void fence_proxy_async() { workbook_sim_fence_proxy(); }
template <class Space>
WORKBOOK_SIM_INLINE void fence_proxy_async(Space) {
  workbook_sim_fence_proxy();
}
WORKBOOK_SIM_INLINE void fence_mbarrier_init(sem_release_t, scope_cluster_t) {}

}  // namespace ptx

namespace device::experimental {

template <class Completion>
WORKBOOK_SIM_INLINE void cp_async_bulk_global_to_shared(void* to, const void* from, ::std::uint32_t bytes,
                                                        barrier<thread_scope_block, Completion>& on) {
  workbook::sim::ptx::bulk_copy_to_shared(to, from, bytes, on.workbook_word());
}
WORKBOOK_SIM_INLINE void cp_async_bulk_shared_to_global(void* to, const void* from, ::std::uint32_t bytes) {
  workbook::sim::ptx::bulk_copy_to_global(to, from, bytes);
}
#define WORKBOOK_SIM_TENSOR(RANK, AT, ...)                                                                  \
  template <class Completion>                                                                               \
  WORKBOOK_SIM_INLINE void cp_async_bulk_tensor_##RANK##d_global_to_shared(                                 \
      void* to, const CUtensorMap* map, __VA_ARGS__, barrier<thread_scope_block, Completion>& on) {         \
    workbook::sim::ptx::tensor_load_at(to, map, on.workbook_word(), 0, RANK,                                \
                                       workbook::sim::ptx::tensor_place AT.at);                             \
  }                                                                                                         \
  WORKBOOK_SIM_INLINE void cp_async_bulk_tensor_##RANK##d_shared_to_global(const CUtensorMap* map,          \
                                                                           __VA_ARGS__, const void* from) { \
    workbook_sim_tensor_store(map, RANK, workbook::sim::ptx::tensor_place AT.at, from);                     \
  }
WORKBOOK_SIM_TENSOR(1, (x), int x)
WORKBOOK_SIM_TENSOR(2, (x, y), int x, int y)
WORKBOOK_SIM_TENSOR(3, (x, y, z), int x, int y, int z)
WORKBOOK_SIM_TENSOR(4, (x, y, z, v), int x, int y, int z, int v)
WORKBOOK_SIM_TENSOR(5, (x, y, z, v, w), int x, int y, int z, int v, int w)
#undef WORKBOOK_SIM_TENSOR
WORKBOOK_SIM_INLINE void cp_async_bulk_commit_group() { workbook_sim_bulk_commit(); }
template <int kGroups>
WORKBOOK_SIM_INLINE void cp_async_bulk_wait_group_read() {
  workbook_sim_bulk_wait(kGroups);
}
WORKBOOK_SIM_INLINE void fence_proxy_async_shared_cta() { workbook_sim_fence_proxy(); }

}  // namespace device::experimental

}  // namespace cuda
