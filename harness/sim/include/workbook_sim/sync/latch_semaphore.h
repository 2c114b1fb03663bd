// cuda::latch, cuda::counting_semaphore and cuda::binary_semaphore: counters that threads wait for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "atomic.h"

namespace workbook::sim {

/// An int that threads change and wait for, ordered as the objects built on it promise.
class WaitedCounter {
 public:
  WaitedCounter() = default;
  constexpr explicit WaitedCounter(int value) : value_(value) {}
  WORKBOOK_SIM_INLINE void add(int change) {
    workbook_sim_release(&value_);
    add_untraced(&value_, change);
  }
  WORKBOOK_SIM_INLINE int get() const {
    const int value = add_untraced(const_cast<int*>(&value_), 0);
    workbook_sim_acquire(&value_);
    return value;
  }
  /// Takes one where the counter is positive.
  WORKBOOK_SIM_INLINE bool try_take() {
    if (add_untraced(&value_, -1) > 0) {
      workbook_sim_acquire(&value_);
      return true;
    }
    add_untraced(&value_, 1);
    return false;
  }

 private:
  int value_;
};

}  // namespace workbook::sim

namespace cuda {

template <thread_scope kScope = thread_scope_system>
class latch {
 public:
  constexpr explicit latch(::std::ptrdiff_t expected) : due_(static_cast<int>(expected)) {
    if (!::std::is_constant_evaluated() && workbook_sim_on_device())
      workbook_sim_barrier_start(this, static_cast<::std::uint64_t>(expected));
  }
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;
  WORKBOOK_SIM_INLINE void count_down(::std::ptrdiff_t n = 1) {
    if (workbook_sim_on_device()) workbook_sim_barrier_arrive(this, static_cast<::std::uint64_t>(n), 0);
    due_.add(-static_cast<int>(n));
  }
  WORKBOOK_SIM_INLINE bool try_wait() const { return due_.get() <= 0; }
  WORKBOOK_SIM_INLINE void wait() const {
    if (try_wait()) return;
    if (workbook_sim_on_device()) workbook_sim_barrier_wait(this);
    while (!try_wait()) workbook_sim_yield();
    if (workbook_sim_on_device()) workbook_sim_barrier_pass(this);
  }
  WORKBOOK_SIM_INLINE void arrive_and_wait(::std::ptrdiff_t n = 1) {
    count_down(n);
    wait();
  }

 private:
  workbook::sim::WaitedCounter due_;
};

template <thread_scope kScope = thread_scope_system, ::std::ptrdiff_t kMost = 0x7fffffff>
class counting_semaphore {
 public:
  constexpr counting_semaphore(::std::ptrdiff_t count = 0) : count_(static_cast<int>(count)) {}
  counting_semaphore(const counting_semaphore&) = delete;
  counting_semaphore& operator=(const counting_semaphore&) = delete;
  static constexpr ::std::ptrdiff_t max() { return kMost; }
  WORKBOOK_SIM_INLINE void release(::std::ptrdiff_t n = 1) { count_.add(static_cast<int>(n)); }
  WORKBOOK_SIM_INLINE bool try_acquire() { return count_.try_take(); }
  WORKBOOK_SIM_INLINE void acquire() {
    while (!try_acquire()) workbook_sim_yield();
  }

 private:
  workbook::sim::WaitedCounter count_;
};

template <thread_scope kScope = thread_scope_system>
using binary_semaphore = counting_semaphore<kScope, 1>;

}  // namespace cuda
