// cuda::barrier and the copies that it waits for. Its state is one word of 8 bytes, as the hardware's
// mbarrier is: arrivals still due in this phase, arrivals a phase expects, bytes still due from bulk copies,
// and the parity of the phase.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "../aligned_size.h"
#include "../engine_api.h"
#include "../groups/memcpy_async.h"
#include "scope.h"

namespace workbook::sim {

/// The word's arithmetic. Untraced: the state of a barrier is no access of the learner's.
struct BarrierState {
  static constexpr int kCountBits = 20, kBytesBits = 22;
  static constexpr ::std::uint64_t kMostCount = (1u << kCountBits) - 1;

  ::std::uint64_t due : kCountBits;
  ::std::uint64_t expected : kCountBits;
  ::std::int64_t bytes_due : kBytesBits;
  ::std::uint64_t parity : 1;
  ::std::uint64_t
      ready : 1;  ///< set by init(); shared memory starts with all bits set, global memory with none
};
static_assert(sizeof(BarrierState) == 8);

inline BarrierState load_barrier(const void* barrier) {
  return bits_as<BarrierState>(load_relaxed<::std::uint64_t>(barrier));
}

enum class BarrierChange { none, phase_ends, too_many, unready };

/// Takes `arrivals`, lowers the phase's expectation by `drops`, and changes the bytes that are due. Tells
/// when that ends the phase, which then has not happened yet: the caller ends it, with what depends on it
/// done.
WORKBOOK_SIM_UNTRACED BarrierChange change_barrier(void* barrier, ::std::uint64_t arrivals,
                                                   ::std::uint64_t drops, ::std::int64_t bytes) {
  for (;;) {
    const BarrierState before = load_barrier(barrier);
    if (!before.ready || before.expected == BarrierState::kMostCount) return BarrierChange::unready;
    if (before.due < arrivals || before.expected < drops) return BarrierChange::too_many;
    BarrierState after = before;
    after.due = before.due - arrivals;
    after.expected = before.expected - drops;
    after.bytes_due = before.bytes_due + bytes;
    const auto seen = bits_as<::std::uint64_t>(before);
    if (compare_and_swap<::std::uint64_t>(barrier, seen, bits_as<::std::uint64_t>(after)) != seen) continue;
    return after.due == 0 && after.bytes_due == 0 ? BarrierChange::phase_ends : BarrierChange::none;
  }
}

WORKBOOK_SIM_UNTRACED void end_barrier_phase(void* barrier) {
  for (;;) {
    const BarrierState before = load_barrier(barrier);
    BarrierState after = before;
    after.due = before.expected;
    after.parity = before.parity ^ 1u;
    const auto seen = bits_as<::std::uint64_t>(before);
    if (compare_and_swap<::std::uint64_t>(barrier, seen, bits_as<::std::uint64_t>(after)) == seen) return;
  }
}

WORKBOOK_SIM_UNTRACED void start_barrier(void* barrier, ::std::uint64_t expected) {
  BarrierState state{};
  state.due = expected;
  state.expected = expected;
  state.ready = 1;
  auto* word = static_cast<::std::uint64_t*>(barrier);
  __atomic_store_n(word, bits_as<::std::uint64_t>(state), __ATOMIC_RELAXED);
}

struct NoCompletion {
  void operator()() const {}
};

/// What every form of barrier is made of.
class BarrierWord {
 public:
  BarrierWord() = default;
  BarrierWord(const BarrierWord&) = delete;
  BarrierWord& operator=(const BarrierWord&) = delete;

  WORKBOOK_SIM_INLINE void start(::std::ptrdiff_t expected) {
    if (expected < 0 || static_cast<::std::uint64_t>(expected) >= BarrierState::kMostCount)
      workbook_sim_refuse("a cuda::barrier expects between 0 and 2^20 - 2 arrivals");
    start_barrier(&word_, static_cast<::std::uint64_t>(expected));
    workbook_sim_barrier_start(&word_, static_cast<::std::uint64_t>(expected));
  }

  /// Ends the phase when these were the last arrivals and bytes; the copies bound to the barrier are done
  /// then.
  template <class Completion>
  WORKBOOK_SIM_INLINE void change(::std::ptrdiff_t arrivals, ::std::ptrdiff_t drops, ::std::int64_t bytes,
                                  const Completion& completion) {
    workbook_sim_release(&word_);
    workbook_sim_barrier_arrive(&word_, static_cast<::std::uint64_t>(arrivals),
                                static_cast<::std::uint64_t>(drops));
    switch (change_barrier(&word_, static_cast<::std::uint64_t>(arrivals),
                           static_cast<::std::uint64_t>(drops), bytes)) {
      case BarrierChange::none:
        return;
      case BarrierChange::unready:
        return workbook_sim_refuse("a cuda::barrier is used before init()");
      case BarrierChange::too_many:
        return workbook_sim_refuse("more threads arrive at a cuda::barrier than its phase expects");
      case BarrierChange::phase_ends:
        workbook_sim_acquire(&word_);
        workbook_sim_async_complete(&word_);
        if constexpr (!::std::is_same_v<Completion, NoCompletion>) workbook_sim_async_arrive(&word_);
        completion();
        workbook_sim_release(&word_);
        end_barrier_phase(&word_);
        workbook_sim_barrier_phase_ends(&word_);
    }
  }

  /// Whether the phase of that parity has ended.
  WORKBOOK_SIM_INLINE bool has_ended(bool parity) const {
    const BarrierState state = load_barrier(&word_);
    if (!state.ready || state.expected == BarrierState::kMostCount)
      workbook_sim_refuse("a cuda::barrier is used before init()");
    if ((state.parity != 0) == parity) return false;
    workbook_sim_acquire(&word_);
    workbook_sim_async_arrive(&word_);
    return true;
  }
  WORKBOOK_SIM_INLINE void wait(bool parity) const {
    if (!has_ended(parity)) {
      workbook_sim_barrier_wait(&word_);
      while (!has_ended(parity)) workbook_sim_yield();
    }
    workbook_sim_barrier_pass(&word_);
  }
  WORKBOOK_SIM_INLINE bool parity() const { return load_barrier(&word_).parity != 0; }
  WORKBOOK_SIM_INLINE ::std::uint64_t* native_handle() { return &word_; }

 private:
  ::std::uint64_t word_ = 0;  // a constant, so that it may lie in shared memory
};

}  // namespace workbook::sim

namespace cuda {

template <thread_scope kScope, class Completion = workbook::sim::NoCompletion>
class barrier {
 public:
  class arrival_token {
    friend class barrier;

   public:
    arrival_token() = default;

   private:
    WORKBOOK_SIM_INLINE explicit arrival_token(bool parity) : parity_(parity) {}
    bool parity_ = false;
  };

  barrier() = default;
  WORKBOOK_SIM_INLINE explicit barrier(::std::ptrdiff_t expected, Completion completion = Completion())
      : completion_(::std::move(completion)) {
    word_.start(expected);
  }

  WORKBOOK_SIM_INLINE friend void init(barrier* to, ::std::ptrdiff_t expected,
                                       Completion completion = Completion()) {
    new (&to->completion_) Completion(::std::move(completion));
    to->word_.start(expected);
  }
  static constexpr ::std::ptrdiff_t max() { return workbook::sim::BarrierState::kMostCount - 1; }

  [[nodiscard]] WORKBOOK_SIM_INLINE arrival_token arrive(::std::ptrdiff_t arrivals = 1) {
    const bool parity = word_.parity();
    word_.change(arrivals, 0, 0, completion_);
    return arrival_token(parity);
  }
  WORKBOOK_SIM_INLINE void wait(arrival_token&& token) const { word_.wait(token.parity_); }
  WORKBOOK_SIM_INLINE void wait_parity(bool parity) const { word_.wait(parity); }
  WORKBOOK_SIM_INLINE void arrive_and_wait() { wait(arrive()); }
  WORKBOOK_SIM_INLINE void arrive_and_drop() { word_.change(1, 1, 0, completion_); }

  // A try lets the other threads run once, however long it may wait: there is no clock to wait by.
  template <class Duration>
  WORKBOOK_SIM_INLINE bool try_wait_for(arrival_token&& token, const Duration&) const {
    return workbook_try(token.parity_);
  }
  template <class Time>
  WORKBOOK_SIM_INLINE bool try_wait_until(arrival_token&& token, const Time&) const {
    return workbook_try(token.parity_);
  }
  template <class Duration>
  WORKBOOK_SIM_INLINE bool try_wait_parity_for(bool parity, const Duration&) const {
    return workbook_try(parity);
  }
  template <class Time>
  WORKBOOK_SIM_INLINE bool try_wait_parity_until(bool parity, const Time&) const {
    return workbook_try(parity);
  }

  WORKBOOK_SIM_INLINE bool workbook_try(bool parity) const {
    if (word_.has_ended(parity)) return true;
    workbook_sim_yield();
    return word_.has_ended(parity);
  }
  /// For the functions below: a change of what the phase waits for.
  WORKBOOK_SIM_INLINE arrival_token workbook_change(::std::ptrdiff_t arrivals, ::std::int64_t bytes) {
    const bool parity = word_.parity();
    word_.change(arrivals, 0, bytes, completion_);
    return arrival_token(parity);
  }
  WORKBOOK_SIM_INLINE ::std::uint64_t* workbook_word() { return word_.native_handle(); }

 private:
  workbook::sim::BarrierWord word_;
  [[no_unique_address]] Completion completion_;
};

enum class async_contract_fulfillment { none, async };

/// Copies that the barrier's current phase waits for: by one thread, or by all threads of a group.
template <class Size, thread_scope kScope, class Completion>
WORKBOOK_SIM_INLINE async_contract_fulfillment memcpy_async(void* to, const void* from, Size bytes,
                                                            barrier<kScope, Completion>& on) {
  workbook_sim_release(on.workbook_word());
  workbook::sim::copy_share(to, from, bytes, 0, 1, on.workbook_word());
  return async_contract_fulfillment::async;
}
template <class Group, class Size, thread_scope kScope, class Completion>
WORKBOOK_SIM_INLINE async_contract_fulfillment memcpy_async(const Group& group, void* to, const void* from,
                                                            Size bytes, barrier<kScope, Completion>& on) {
  workbook_sim_release(on.workbook_word());
  workbook::sim::copy_share(to, from, bytes, group.thread_rank(), group.size(), on.workbook_word());
  return async_contract_fulfillment::async;
}

namespace device {

template <class Completion>
WORKBOOK_SIM_INLINE ::std::uint64_t* barrier_native_handle(barrier<thread_scope_block, Completion>& of) {
  return of.workbook_word();
}
/// Announces bytes that the phase waits for.
template <class Completion>
WORKBOOK_SIM_INLINE void barrier_expect_tx(barrier<thread_scope_block, Completion>& of,
                                           ::std::ptrdiff_t bytes) {
  static_cast<void>(of.workbook_change(0, bytes));
}
template <class Completion>
[[nodiscard]] WORKBOOK_SIM_INLINE auto barrier_arrive_tx(barrier<thread_scope_block, Completion>& of,
                                                         ::std::ptrdiff_t arrivals, ::std::ptrdiff_t bytes) {
  static_cast<void>(of.workbook_change(0, bytes));
  return of.workbook_change(arrivals, 0);
}
/// A bulk copy by one thread: the barrier's phase waits for as many bytes as were announced.
template <class T, ::std::size_t kAlignment, class Completion>
WORKBOOK_SIM_INLINE async_contract_fulfillment memcpy_async_tx(T* to, const T* from,
                                                               aligned_size_t<kAlignment> bytes,
                                                               barrier<thread_scope_block, Completion>& on) {
  static_assert(kAlignment >= 16, "a bulk copy needs 16 byte alignment of both pointers and the size");
  if ((reinterpret_cast<::std::uintptr_t>(to) | reinterpret_cast<::std::uintptr_t>(from) | bytes.value) %
          16 !=
      0)
    workbook_sim_refuse("memcpy_async_tx() needs both pointers and the size to be multiples of 16");
  workbook_sim_async_copy(to, from, bytes, 0, on.workbook_word());
  static_cast<void>(on.workbook_change(0, -static_cast<::std::int64_t>(bytes.value)));
  return async_contract_fulfillment::async;
}

}  // namespace device

}  // namespace cuda
