// cuda::atomic and cuda::atomic_ref on objects of 1, 2, 4 and 8 bytes, with the orders and scopes that the
// engine is told.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../atomics.h"
#include "../builtins.h"
#include "../engine_api.h"
#include "scope.h"

namespace workbook::sim {

/// Whether an order, of std or cuda::std, makes what came before visible, or keeps what comes later behind.
template <class Order>
constexpr bool releases(Order order) {
  return static_cast<int>(order) >= static_cast<int>(::std::memory_order_release);
}
template <class Order>
constexpr bool acquires(Order order) {
  return static_cast<int>(order) != static_cast<int>(::std::memory_order_relaxed) &&
         static_cast<int>(order) != static_cast<int>(::std::memory_order_release);
}
template <class Order>
constexpr unsigned int bits_of(Order order, cuda::thread_scope scope) {
  const bool narrow = scope != cuda::thread_scope_device && scope != cuda::thread_scope_system;
  return (narrow ? kBlockScope : 0) | (acquires(order) ? kAcquires : 0) | (releases(order) ? kReleases : 0);
}

/// For the state of synchronisation objects themselves.
template <class T>
WORKBOOK_SIM_UNTRACED void store_untraced(T* address, T value) {
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
}
template <class T>
WORKBOOK_SIM_UNTRACED T add_untraced(T* address, T value) {
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

/// The operations, on an object that somebody else owns.
template <class T, cuda::thread_scope kScope>
class AtomicOperations {
  static_assert(sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                "the simulator has atomics of 1, 2, 4 and 8 bytes");

 public:
  template <class Change, class Order>
  WORKBOOK_SIM_INLINE static T update(T* object, Change change, Order order) {
    return atomic_update(object, change, bits_of(order, kScope));
  }
  template <class Order>
  WORKBOOK_SIM_INLINE static T load(const T* object, Order order) {
    return atomic_update(
        const_cast<T*>(object), [](T old) -> T { return old; },
        (bits_of(order, kScope) & ~kReleases) | kLoads);
  }
  template <class Order>
  WORKBOOK_SIM_INLINE static void store(T* object, T value, Order order) {
    static_cast<void>(atomic_update(
        object, [value](T) -> T { return value; }, (bits_of(order, kScope) & ~kAcquires) | kStores));
  }
  template <class Order>
  WORKBOOK_SIM_INLINE static bool compare_exchange(T* object, T& expected, T desired, Order order) {
    const T wanted = expected;
    const auto equal = [](const T& a, const T& b) { return __builtin_memcmp(&a, &b, sizeof(T)) == 0; };
    const T found = update(
        object, [&](T old) -> T { return equal(old, wanted) ? desired : old; }, order);
    expected = found;
    return equal(found, wanted);
  }
};

}  // namespace workbook::sim

#define WORKBOOK_ATOMIC_FETCH(NAME, TYPE, EXPRESSION)                                      \
  template <class Order = cuda::memory_order>                                              \
  WORKBOOK_SIM_INLINE T NAME(TYPE value, Order order = cuda::memory_order_seq_cst) const { \
    return Operations::update(                                                             \
        object(), [value](T old) -> T { return static_cast<T>(EXPRESSION); }, order);      \
  }

// What atomic and atomic_ref share; object() is where the value lies.
#define WORKBOOK_ATOMIC_MEMBERS(CONST)                                                                 \
  static constexpr bool is_always_lock_free = true;                                                    \
  WORKBOOK_SIM_INLINE bool is_lock_free() const { return true; }                                       \
  template <class Order = cuda::memory_order>                                                          \
  WORKBOOK_SIM_INLINE T load(Order order = cuda::memory_order_seq_cst) const {                         \
    return Operations::load(object(), order);                                                          \
  }                                                                                                    \
  template <class Order = cuda::memory_order>                                                          \
  WORKBOOK_SIM_INLINE void store(T value, Order order = cuda::memory_order_seq_cst) CONST {            \
    workbook_sim_telling(object());                                                                    \
    Operations::store(object(), value, order);                                                         \
  }                                                                                                    \
  template <class Order = cuda::memory_order>                                                          \
  WORKBOOK_SIM_INLINE T exchange(T value, Order order = cuda::memory_order_seq_cst) CONST {            \
    return Operations::update(                                                                         \
        object(), [value](T) -> T { return value; }, order);                                           \
  }                                                                                                    \
  template <class Order = cuda::memory_order>                                                          \
  WORKBOOK_SIM_INLINE bool compare_exchange_strong(T& expected, T desired,                             \
                                                   Order order = cuda::memory_order_seq_cst) CONST {   \
    return Operations::compare_exchange(object(), expected, desired, order);                           \
  }                                                                                                    \
  template <class Order>                                                                               \
  WORKBOOK_SIM_INLINE bool compare_exchange_strong(T& expected, T desired, Order order, Order) CONST { \
    return Operations::compare_exchange(object(), expected, desired, order);                           \
  }                                                                                                    \
  template <class Order = cuda::memory_order>                                                          \
  WORKBOOK_SIM_INLINE bool compare_exchange_weak(T& expected, T desired,                               \
                                                 Order order = cuda::memory_order_seq_cst) CONST {     \
    return Operations::compare_exchange(object(), expected, desired, order);                           \
  }                                                                                                    \
  template <class Order>                                                                               \
  WORKBOOK_SIM_INLINE bool compare_exchange_weak(T& expected, T desired, Order order, Order) CONST {   \
    return Operations::compare_exchange(object(), expected, desired, order);                           \
  }                                                                                                    \
  template <class Order = cuda::memory_order>                                                          \
  WORKBOOK_SIM_INLINE void wait(T old, Order order = cuda::memory_order_seq_cst) const {               \
    while (load(order) == old) workbook_sim_yield();                                                   \
  }                                                                                                    \
  WORKBOOK_SIM_INLINE void notify_one() const {}                                                       \
  WORKBOOK_SIM_INLINE void notify_all() const {}                                                       \
  WORKBOOK_SIM_INLINE operator T() const { return load(); }                                            \
  WORKBOOK_SIM_INLINE T operator=(T value) CONST {                                                     \
    store(value);                                                                                      \
    return value;                                                                                      \
  }                                                                                                    \
  WORKBOOK_ATOMIC_FETCH(fetch_add, Difference, old + value)                                            \
  WORKBOOK_ATOMIC_FETCH(fetch_sub, Difference, old - value)                                            \
  WORKBOOK_ATOMIC_FETCH(fetch_and, T, old& value)                                                      \
  WORKBOOK_ATOMIC_FETCH(fetch_or, T, old | value)                                                      \
  WORKBOOK_ATOMIC_FETCH(fetch_xor, T, old ^ value)                                                     \
  WORKBOOK_ATOMIC_FETCH(fetch_min, T, value < old ? value : old)                                       \
  WORKBOOK_ATOMIC_FETCH(fetch_max, T, old < value ? value : old)                                       \
  WORKBOOK_SIM_INLINE T operator++(int) CONST { return fetch_add(1); }                                 \
  WORKBOOK_SIM_INLINE T operator--(int) CONST { return fetch_sub(1); }                                 \
  WORKBOOK_SIM_INLINE T operator++() CONST { return static_cast<T>(fetch_add(1) + 1); }                \
  WORKBOOK_SIM_INLINE T operator--() CONST { return static_cast<T>(fetch_sub(1) - 1); }                \
  WORKBOOK_SIM_INLINE T operator+=(Difference value) CONST {                                           \
    return static_cast<T>(fetch_add(value) + value);                                                   \
  }                                                                                                    \
  WORKBOOK_SIM_INLINE T operator-=(Difference value) CONST {                                           \
    return static_cast<T>(fetch_sub(value) - value);                                                   \
  }                                                                                                    \
  WORKBOOK_SIM_INLINE T operator&=(T value) CONST { return static_cast<T>(fetch_and(value) & value); } \
  WORKBOOK_SIM_INLINE T operator|=(T value) CONST { return static_cast<T>(fetch_or(value) | value); }  \
  WORKBOOK_SIM_INLINE T operator^=(T value) CONST { return static_cast<T>(fetch_xor(value) ^ value); }

namespace cuda {

template <class T, thread_scope kScope = thread_scope_system>
class atomic {
  using Operations = workbook::sim::AtomicOperations<T, kScope>;
  using Difference = ::std::conditional_t<::std::is_pointer_v<T>, ::std::ptrdiff_t, T>;
  WORKBOOK_SIM_INLINE T* object() const { return const_cast<T*>(&value_); }

 public:
  using value_type = T;
  atomic() = default;
  constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  WORKBOOK_ATOMIC_MEMBERS()

 private:
  alignas(sizeof(T)) T value_;
};

template <class T, thread_scope kScope = thread_scope_system>
class atomic_ref {
  using Operations = workbook::sim::AtomicOperations<T, kScope>;
  using Difference = ::std::conditional_t<::std::is_pointer_v<T>, ::std::ptrdiff_t, T>;
  WORKBOOK_SIM_INLINE T* object() const { return object_; }

 public:
  using value_type = T;
  static constexpr ::std::size_t required_alignment = sizeof(T);
  WORKBOOK_SIM_INLINE explicit atomic_ref(T& object) : object_(&object) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  WORKBOOK_ATOMIC_MEMBERS(const)

 private:
  T* object_;
};

template <class Order>
WORKBOOK_SIM_INLINE void atomic_thread_fence(Order order, thread_scope scope = thread_scope_system) {
  workbook_sim_fence_of(scope == thread_scope_device   ? 1
                        : scope == thread_scope_system ? 2
                                                       : 0,
                        workbook::sim::acquires(order), workbook::sim::releases(order));
}

template <thread_scope kScope = thread_scope_system>
class atomic_flag {
 public:
  atomic_flag() = default;
  template <class Order = memory_order>
  WORKBOOK_SIM_INLINE bool test_and_set(Order order = memory_order_seq_cst) {
    return value_.exchange(1, order) != 0;
  }
  template <class Order = memory_order>
  WORKBOOK_SIM_INLINE bool test(Order order = memory_order_seq_cst) const {
    return value_.load(order) != 0;
  }
  template <class Order = memory_order>
  WORKBOOK_SIM_INLINE void clear(Order order = memory_order_seq_cst) {
    value_.store(0, order);
  }

 private:
  atomic<int, kScope> value_;
};

}  // namespace cuda

#undef WORKBOOK_ATOMIC_MEMBERS
#undef WORKBOOK_ATOMIC_FETCH
