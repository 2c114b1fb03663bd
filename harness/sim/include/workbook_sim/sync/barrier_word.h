// What every form of barrier is made of, cuda::barrier and tiles of several warps. Its state is one word of 8
// bytes, as the hardware's mbarrier is: arrivals still due in this phase, arrivals a phase expects, bytes
// still due from bulk copies, and the parity of the phase.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../atomics.h"
#include "../engine_api.h"

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
  /// It has, and who looks does not see it yet: who does not look again must not go on as if it had.
  WORKBOOK_SIM_INLINE bool is_missed(bool parity) const {
    const BarrierState state = load_barrier(&word_);
    return state.ready && (state.parity != 0) != parity && workbook_sim_barrier_is_missed();
  }
  WORKBOOK_SIM_INLINE void wait(bool parity) const {
    if (!has_ended(parity)) {
      workbook_sim_barrier_wait(&word_);
      while (!has_ended(parity)) workbook_sim_yield();
    }
    workbook_sim_barrier_pass(&word_);
  }
  /// Arrives and waits; who comes first starts it, for so many threads. In memory that nobody has touched.
  WORKBOOK_SIM_INLINE void meet(::std::uint64_t threads) {
    start_first(threads);
    const bool phase = parity();
    change(1, 0, 0, NoCompletion{});
    wait(phase);
  }
  /// The same without waiting.
  WORKBOOK_SIM_INLINE void come(::std::uint64_t threads) {
    start_first(threads);
    change(1, 0, 0, NoCompletion{});
  }
  WORKBOOK_SIM_INLINE bool parity() const { return load_barrier(&word_).parity != 0; }
  WORKBOOK_SIM_INLINE ::std::uint64_t* native_handle() { return &word_; }

 private:
  WORKBOOK_SIM_INLINE void start_first(::std::uint64_t threads) {
    const BarrierState state = load_barrier(&word_);
    if (state.ready && state.expected != BarrierState::kMostCount) {
      if (state.expected != threads)
        workbook_sim_refuse("threads give different counts of threads to one named barrier");
      workbook_sim_acquire(&word_);
      return;
    }
    start(static_cast<::std::ptrdiff_t>(threads));
    workbook_sim_release(&word_);
  }

 public:
 private:
  ::std::uint64_t word_ = 0;  // a constant, so that it may lie in shared memory
};

}  // namespace workbook::sim
