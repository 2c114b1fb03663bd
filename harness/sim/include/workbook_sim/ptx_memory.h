// Inline PTX that touches memory or other threads: see ptx_functions.h. Each access is one of the statement's
// line.
#pragma once

#include "builtins.h"
#include "engine_api.h"
#include "ptx_float.h"
#include "sync/barrier_word.h"

namespace workbook::sim::ptx {

// ---- addresses

template <class R>
WORKBOOK_SIM_INLINE void* at(R base, long long offset) {
  static_assert(sizeof(R) == 8, "an address outside of shared memory has 64 bits: take it as \"l\"");
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(base + static_cast<u64>(offset)));
}
template <class R>
WORKBOOK_SIM_INLINE void* at_shared(R base, long long offset) {
  return const_cast<void*>(
      workbook_sim_shared_address(static_cast<std::size_t>(base) + static_cast<std::size_t>(offset)));
}
template <class T>
WORKBOOK_SIM_INLINE auto map_shared(T offset, u32 rank) {
  return static_cast<T>(workbook_sim_shared_of_rank(offset, rank));
}
template <class T>
WORKBOOK_SIM_INLINE auto map_generic(T address, u32 rank) {
  return static_cast<T>(reinterpret_cast<std::uintptr_t>(workbook_sim_map_shared_rank(at(address, 0), rank)));
}
template <class T>
WORKBOOK_SIM_INLINE auto same_address(T address) {
  return address;
}
template <class T>
WORKBOOK_SIM_INLINE auto to_shared(T address) {
  return static_cast<T>(workbook_sim_shared_offset(at(address, 0)));
}
template <class T>
WORKBOOK_SIM_INLINE auto from_shared(T offset) {
  return static_cast<T>(reinterpret_cast<std::uintptr_t>(at_shared(offset, 0)));
}

// ---- loads and stores

template <class T, int kCount>
struct Vector {
  T v[kCount];
};

/// Before a load through the cache for data that the launch only reads.
WORKBOOK_SIM_INLINE void read_only([[maybe_unused]] const void* from) {
#if WORKBOOK_SIM_IS_TRACED
  workbook_sim_read_only(from);
#endif
}
template <class T>
WORKBOOK_SIM_INLINE auto load(const void* from) {
  typedef T Alias __attribute__((may_alias));
  return static_cast<T>(*static_cast<const Alias*>(from));
}
template <class T>
WORKBOOK_SIM_INLINE auto load_volatile(const void* from) {
  return static_cast<T>(*static_cast<const volatile T*>(from));
}
template <class T>
WORKBOOK_SIM_INLINE auto load_ordered(void* from, unsigned int how) {
  return atomic_update(
      static_cast<T*>(from), [](T old) -> T { return old; }, (how & ~kReleases) | kLoads);
}
template <class T, int kCount>
WORKBOOK_SIM_INLINE auto load_vector(const void* from) {
  using Bits = typename Whole<sizeof(T) * kCount>::type;
  const Bits whole = *static_cast<const Bits*>(from);
  Vector<T, kCount> out;
  __builtin_memcpy(&out, &whole, sizeof whole);
  return out;
}
template <class T>
WORKBOOK_SIM_INLINE void store(void* to, T value) {
  typedef T Alias __attribute__((may_alias));
  *static_cast<Alias*>(to) = value;
}
template <class T>
WORKBOOK_SIM_INLINE void store_volatile(void* to, T value) {
  *static_cast<volatile T*>(to) = value;
}
template <class T>
WORKBOOK_SIM_INLINE void store_ordered(void* to, T value, unsigned int how) {
  workbook_sim_telling(to);
  static_cast<void>(atomic_update(
      static_cast<T*>(to), [value](T) -> T { return value; }, (how & ~kAcquires) | kStores));
}
template <class T, class... More>
WORKBOOK_SIM_INLINE void store_vector(void* to, T first, More... more) {
  using Bits = typename Whole<sizeof(T) * (1 + sizeof...(More))>::type;
  const T parts[] = {first, more...};
  Bits whole;
  __builtin_memcpy(&whole, parts, sizeof whole);
  *static_cast<Bits*>(to) = whole;
}
template <class... Any>
WORKBOOK_SIM_INLINE void no_effect(Any...) {}

/// mov of a word's parts, the lowest first.
template <int kCount, class T>
WORKBOOK_SIM_INLINE auto unpack(T whole) {
  Vector<typename Word<sizeof(T) / kCount>::type, kCount> out;
  __builtin_memcpy(&out, &whole, sizeof whole);
  return out;
}
template <class T, class... Parts>
WORKBOOK_SIM_INLINE auto pack(Parts... parts) {
  static_assert((sizeof(Parts) + ...) == sizeof(T), "mov packs registers that fill the other one");
  T whole{};
  std::size_t at = 0;
  ((__builtin_memcpy(reinterpret_cast<char*>(&whole) + at, &parts, sizeof parts), at += sizeof parts), ...);
  return whole;
}

// ---- read, change and write

#define WORKBOOK_PTX_ATOMIC(NAME, EXPRESSION)        \
  struct NAME {                                      \
    template <class T>                               \
    static WORKBOOK_SIM_INLINE T apply(T old, T b) { \
      return static_cast<T>(EXPRESSION);             \
    }                                                \
  };
WORKBOOK_PTX_ATOMIC(AtomExchange, (static_cast<void>(old), b))
WORKBOOK_PTX_ATOMIC(AtomMin, b < old ? b : old)
WORKBOOK_PTX_ATOMIC(AtomMax, old < b ? b : old)
WORKBOOK_PTX_ATOMIC(AtomAnd, old& b)
WORKBOOK_PTX_ATOMIC(AtomOr, old | b)
WORKBOOK_PTX_ATOMIC(AtomXor, old ^ b)
WORKBOOK_PTX_ATOMIC(AtomInc, old >= b ? T{0} : old + 1)
WORKBOOK_PTX_ATOMIC(AtomDec, old == 0 || old > b ? b : old - 1)
#undef WORKBOOK_PTX_ATOMIC
struct AtomAdd {
  template <class T>
  static WORKBOOK_SIM_INLINE T apply(T old, T b) {
    if constexpr (std::is_arithmetic_v<T>)
      return static_cast<T>(old + b);
    else
      return add_small(old, b);
  }
};
struct AtomCas {
  template <class T>
  static WORKBOOK_SIM_INLINE T apply(T old, T compare, T value) {
    return old == compare ? value : old;
  }
};
template <class Operation, class T, class... More>
WORKBOOK_SIM_INLINE auto atomic(void* address, unsigned int how, More... operands) {
  return atomic_update(
      static_cast<T*>(address), [=](T old) -> T { return Operation::apply(old, operands...); }, how);
}

// ---- asynchronous copies

/// `bytes` of shared memory, of which `read` come from global memory and the rest is zero.
WORKBOOK_SIM_INLINE void async_copy(void* to, const void* from, unsigned int bytes, unsigned int read) {
  if ((bytes != 4 && bytes != 8 && bytes != 16) || read > bytes)
    workbook_sim_refuse("cp.async copies 4, 8 or 16 bytes");
  workbook_sim_async_copy(to, from, read, bytes - read, nullptr);
}
WORKBOOK_SIM_INLINE void async_commit() { workbook_sim_async_commit(); }
WORKBOOK_SIM_INLINE void async_wait(unsigned int pending) { workbook_sim_async_wait(pending); }
WORKBOOK_SIM_INLINE void async_wait_all() {
  workbook_sim_async_commit();
  workbook_sim_async_wait(0);
}

/// The barrier's phase waits for all copies that the thread has begun; `counted`: that is one of the arrivals
/// which it expects.
template <class T>
WORKBOOK_SIM_INLINE void barrier_arrive_by_counted_copies(void* address) {
  workbook_sim_async_bind(address);
  static_cast<BarrierWord*>(address)->change(1, 0, 0, NoCompletion{});
}
template <class T>
WORKBOOK_SIM_INLINE void barrier_arrive_by_copies(void* address) {
  workbook_sim_async_bind(address);
}

// ---- threads together

template <class T>
WORKBOOK_SIM_INLINE void set_registers(unsigned long long count) {
  if (count < 24 || count > 256 || count % 8 != 0)
    workbook_sim_refuse("setmaxnreg takes a multiple of 8 from 24 to 256");
}
WORKBOOK_SIM_INLINE void cluster_arrive() { workbook_sim_cluster_arrive(); }
WORKBOOK_SIM_INLINE void cluster_wait() { workbook_sim_cluster_wait(); }

WORKBOOK_SIM_INLINE void block_barrier(unsigned int) { workbook_sim_syncthreads(); }

/// Those of a block, for some of its threads, which come by whole warps.
struct NamedBarriers {
  BarrierWord of[16];
};
WORKBOOK_SIM_INLINE BarrierWord& named_barrier(unsigned int number, unsigned int threads) {
  static __shared__ NamedBarriers named_barriers;
  if (number >= 16) workbook_sim_refuse("a block has the barriers 0 to 15");
  if (threads == 0 || threads % 32 != 0 || threads > 1024)
    workbook_sim_refuse("a barrier counts threads by whole warps: a multiple of 32, at most 1024");
  return named_barriers.of[number];
}
WORKBOOK_SIM_INLINE void barrier_of_some(unsigned int number, unsigned int threads) {
  named_barrier(number, threads).meet(threads);
}
WORKBOOK_SIM_INLINE void barrier_arrive(unsigned int number, unsigned int threads) {
  named_barrier(number, threads).come(threads);
}
template <class T>
WORKBOOK_SIM_INLINE auto barrier_popc(unsigned int, pred one) {
  return static_cast<T>(workbook_sim_syncthreads_reduce(0, one));
}
template <class T>
WORKBOOK_SIM_INLINE auto barrier_and(unsigned int, pred one) {
  return workbook_sim_syncthreads_reduce(1, one) != 0;
}
template <class T>
WORKBOOK_SIM_INLINE auto barrier_or(unsigned int, pred one) {
  return workbook_sim_syncthreads_reduce(2, one) != 0;
}
WORKBOOK_SIM_INLINE void warp_barrier(u32 mask) { __syncwarp(mask); }

struct Shuffled {
  u32 value;
  pred within;  ///< whether the lane that was asked lies in the caller's segment
};
/// `c` holds the segment's mask above bit 8 and the lane to stop at below.
WORKBOOK_SIM_INLINE Shuffled shuffled(WarpOp op, u32 value, u32 b, u32 c, u32 mask, u32 asked, bool upwards) {
  const u32 lane = lane_in_warp(), segment = c >> 8 & 0x1fu;
  const u32 end = (lane & segment) | (c & 0x1fu & ~segment);
  const bool within = upwards ? static_cast<s32>(asked) >= static_cast<s32>(end) : asked <= end;
  const auto bits =
      workbook_sim_warp(op, mask, value, static_cast<int>(b & 0x1fu), static_cast<int>(32 - segment));
  return {static_cast<u32>(bits), within};
}
/// The lowest lane of the mask; whether it is this one.
WORKBOOK_SIM_INLINE Shuffled elect(u32 mask) {
  const u32 leader = static_cast<u32>(__builtin_ctz(__ballot_sync(mask, 1) | 1u << 31));
  return {leader, leader == lane_in_warp()};
}
WORKBOOK_SIM_INLINE Shuffled shfl_idx(u32 a, u32 b, u32 c, u32 mask) {
  const u32 segment = c >> 8 & 0x1fu;
  return shuffled(WarpOp::shuffle, a, b, c, mask, (lane_in_warp() & segment) | (b & 0x1fu & ~segment), false);
}
WORKBOOK_SIM_INLINE Shuffled shfl_up(u32 a, u32 b, u32 c, u32 mask) {
  return shuffled(WarpOp::shuffle_up, a, b, c, mask, lane_in_warp() - (b & 0x1fu), true);
}
WORKBOOK_SIM_INLINE Shuffled shfl_down(u32 a, u32 b, u32 c, u32 mask) {
  return shuffled(WarpOp::shuffle_down, a, b, c, mask, lane_in_warp() + (b & 0x1fu), false);
}
WORKBOOK_SIM_INLINE Shuffled shfl_bfly(u32 a, u32 b, u32 c, u32 mask) {
  return shuffled(WarpOp::shuffle_xor, a, b, c, mask, lane_in_warp() ^ (b & 0x1fu), false);
}
template <class T>
WORKBOOK_SIM_INLINE auto vote_ballot(pred one, u32 mask) {
  return __ballot_sync(mask, one);
}
template <class T>
WORKBOOK_SIM_INLINE auto vote_all(pred one, u32 mask) {
  return __all_sync(mask, one) != 0;
}
template <class T>
WORKBOOK_SIM_INLINE auto vote_any(pred one, u32 mask) {
  return __any_sync(mask, one) != 0;
}
template <class T>
WORKBOOK_SIM_INLINE auto vote_uni(pred one, u32 mask) {
  return __uni_sync(mask, one) != 0;
}
template <class T>
WORKBOOK_SIM_INLINE auto active_mask() {
  return __activemask();
}
template <class T>
WORKBOOK_SIM_INLINE auto match_any(T value, u32 mask) {
  return __match_any_sync(mask, value);
}
template <class T>
WORKBOOK_SIM_INLINE auto match_all(T value, u32 mask) {
  int same = 0;
  return __match_all_sync(mask, value, &same);
}
WORKBOOK_SIM_INLINE void grid_dependency_wait() { workbook_sim_grid_dependency("griddepcontrol.wait", true); }
WORKBOOK_SIM_INLINE void grid_dependency_launch() {
  workbook_sim_grid_dependency("griddepcontrol.launch_dependents", false);
}
#define WORKBOOK_PTX_REDUX(NAME)                             \
  template <class T>                                         \
  WORKBOOK_SIM_INLINE auto redux_##NAME(T value, u32 mask) { \
    return __reduce_##NAME##_sync(mask, value);              \
  }
WORKBOOK_PTX_REDUX(add)
WORKBOOK_PTX_REDUX(min)
WORKBOOK_PTX_REDUX(max)
WORKBOOK_PTX_REDUX(and)
WORKBOOK_PTX_REDUX(or)
WORKBOOK_PTX_REDUX(xor)
#undef WORKBOOK_PTX_REDUX
WORKBOOK_SIM_INLINE void trap() { workbook_sim_trap(); }
template <class T>
WORKBOOK_SIM_INLINE void sleep(T nanoseconds) {
  workbook_sim_nanosleep(nanoseconds);
}

// ---- special registers

WORKBOOK_SIM_INLINE u32 warp_id() { return thread_in_block() / 32u; }
WORKBOOK_SIM_INLINE u32 warps() { return (threads_of_block() + 31u) / 32u; }
/// Blocks are dealt to the multiprocessors in turn; which one a GPU takes nobody may count on.
WORKBOOK_SIM_INLINE u32 multiprocessor() {
  return rank_in(blockIdx, gridDim) % workbook_sim_multiprocessors();
}
/// The lanes below (side -1) or above (1) this one, or none (0), with it or without.
WORKBOOK_SIM_INLINE u32 lane_mask(bool itself, int side) {
  const u32 own = 1u << lane_in_warp(), below = own - 1u;
  return (itself ? own : 0u) | (side < 0 ? below : side > 0 ? ~(below | own) : 0u);
}

}  // namespace workbook::sim::ptx
