// cuda::barrier and the copies that it waits for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "../aligned_size.h"
#include "../engine_api.h"
#include "../groups/memcpy_async.h"
#include "barrier_word.h"
#include "scope.h"

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
    if (word_.is_missed(parity)) return false;
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
