// Barriers in shared memory and bulk copies as PTX has them, for inline PTX and for <cuda/ptx>.
#pragma once

#include "engine_api.h"
#include "ptx_registers.h"
#include "sync/barrier_word.h"
#include "tensor_map.h"

namespace workbook::sim::ptx {

WORKBOOK_SIM_INLINE BarrierWord& barrier_at(void* address) { return *static_cast<BarrierWord*>(address); }

template <class T>
WORKBOOK_SIM_INLINE void barrier_init(void* address, u32 count) {
  barrier_at(address).start(count);
}
template <class T>
WORKBOOK_SIM_INLINE void barrier_invalidate(void*) {}

/// What arrivals return names the phase that they count in: 0 or 1, its parity.
template <class T>
WORKBOOK_SIM_INLINE T barrier_arrive_at(void* address, u32 arrivals = 1) {
  BarrierWord& barrier = barrier_at(address);
  const T phase = barrier.parity();
  barrier.change(arrivals, 0, 0, NoCompletion{});
  return phase;
}
template <class T>
WORKBOOK_SIM_INLINE T barrier_drop_at(void* address) {
  BarrierWord& barrier = barrier_at(address);
  const T phase = barrier.parity();
  barrier.change(1, 1, 0, NoCompletion{});
  return phase;
}
template <class T>
WORKBOOK_SIM_INLINE void barrier_expect(void* address, u32 bytes) {
  barrier_at(address).change(0, 0, bytes, NoCompletion{});
}
template <class T>
WORKBOOK_SIM_INLINE T barrier_arrive_expect(void* address, u32 bytes) {
  barrier_expect<T>(address, bytes);
  return barrier_arrive_at<T>(address);
}

/// Whether the phase has ended; a look, and no wait.
template <class T, class Phase>
WORKBOOK_SIM_INLINE bool barrier_test(void* address, Phase phase) {
  return !barrier_at(address).is_missed((phase & 1u) != 0) &&
         barrier_at(address).has_ended((phase & 1u) != 0);
}
/// The same after the other threads could run once, which is as long as it may wait.
template <class T, class Phase>
WORKBOOK_SIM_INLINE bool barrier_try(void* address, Phase phase) {
  const BarrierWord& barrier = barrier_at(address);
  const bool parity = (phase & 1u) != 0;
  if (barrier.is_missed(parity)) return false;
  if (!barrier.has_ended(parity)) {
    workbook_sim_barrier_wait(address);
    workbook_sim_yield();
    if (!barrier.has_ended(parity)) return false;
  }
  workbook_sim_barrier_pass(address);
  return true;
}
template <class T, class Phase>
WORKBOOK_SIM_INLINE bool barrier_try(void* address, Phase phase, u32) {
  return barrier_try<T>(address, phase);
}

WORKBOOK_SIM_INLINE void require_bulk(const void* to, const void* from, u32 bytes) {
  if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes) % 16 != 0)
    workbook_sim_refuse("cp.async.bulk needs both addresses and the size to be multiples of 16");
}
/// From global memory to shared memory, for a phase that waits for its bytes.
WORKBOOK_SIM_INLINE void bulk_copy_to_shared(void* to, const void* from, u32 bytes, void* barrier) {
  require_bulk(to, from, bytes);
  workbook_sim_bulk_load(to, from, bytes, barrier);
  barrier_at(barrier).change(0, 0, -static_cast<std::int64_t>(bytes), NoCompletion{});
}
/// From shared memory to global memory: made at once, and known to read until it is waited for.
WORKBOOK_SIM_INLINE void bulk_copy_to_global(void* to, const void* from, u32 bytes) {
  typedef u64 Word __attribute__((may_alias));
  require_bulk(to, from, bytes);
  workbook_sim_bulk_store(from, bytes);
  for (u32 i = 0; i < bytes / sizeof(Word); ++i)
    static_cast<Word*>(to)[i] = static_cast<const Word*>(from)[i];
}

// With a policy for the L2, which changes nothing here.
WORKBOOK_SIM_INLINE void bulk_copy_to_shared(void* to, const void* from, u32 bytes, void* barrier, u64) {
  bulk_copy_to_shared(to, from, bytes, barrier);
}
WORKBOOK_SIM_INLINE void bulk_copy_to_global(void* to, const void* from, u32 bytes, u64) {
  bulk_copy_to_global(to, from, bytes);
}
template <class T>
WORKBOOK_SIM_INLINE auto l2_policy(T = {}) {
  return T{};
}

WORKBOOK_SIM_INLINE void bulk_commit() { workbook_sim_bulk_commit(); }
WORKBOOK_SIM_INLINE void bulk_wait(u32 pending) { workbook_sim_bulk_wait(pending); }
WORKBOOK_SIM_INLINE void fence_proxy() { workbook_sim_fence_proxy(); }

}  // namespace workbook::sim::ptx
