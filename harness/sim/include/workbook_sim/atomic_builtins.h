// __nv_atomic_load() and its kin: nvcc's built-in atomic functions, with an order and a scope (CUDA C++
// Programming Guide, "Built-in Atomic Functions").
#pragma once

#include "atomics.h"
#include "builtins.h"

#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

namespace workbook::sim {

constexpr bool builtin_acquires(int order) {
  return order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE;
}
constexpr bool builtin_releases(int order) { return order >= __NV_ATOMIC_RELEASE; }
constexpr unsigned int builtin_bits(int order, int scope) {
  return (scope < __NV_THREAD_SCOPE_DEVICE ? kBlockScope : 0) | (builtin_acquires(order) ? kAcquires : 0) |
         (builtin_releases(order) ? kReleases : 0);
}

}  // namespace workbook::sim

template <class T>
WORKBOOK_SIM_INLINE T __nv_atomic_load_n(const T* address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return workbook::sim::atomic_update(
      const_cast<T*>(address), [](T old) -> T { return old; },
      (workbook::sim::builtin_bits(order, scope) & ~workbook::sim::kReleases) | workbook::sim::kLoads);
}
template <class T>
WORKBOOK_SIM_INLINE void __nv_atomic_store_n(T* address, std::type_identity_t<T> value, int order,
                                             int scope = __NV_THREAD_SCOPE_SYSTEM) {
  workbook_sim_telling(address);
  static_cast<void>(workbook::sim::atomic_update(
      address, [value](T) -> T { return value; },
      (workbook::sim::builtin_bits(order, scope) & ~workbook::sim::kAcquires) | workbook::sim::kStores));
}
template <class T>
WORKBOOK_SIM_INLINE T __nv_atomic_exchange_n(T* address, std::type_identity_t<T> value, int order,
                                             int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return workbook::sim::atomic_update(
      address, [value](T) -> T { return value; }, workbook::sim::builtin_bits(order, scope));
}
template <class T>
WORKBOOK_SIM_INLINE bool __nv_atomic_compare_exchange_n(T* address, T* expected,
                                                        std::type_identity_t<T> desired, bool /*weak*/,
                                                        int success, int /*failure*/,
                                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const T wanted = *expected;
  const T found = workbook::sim::atomic_update(
      address, [&](T old) -> T { return __builtin_memcmp(&old, &wanted, sizeof(T)) == 0 ? desired : old; },
      workbook::sim::builtin_bits(success, scope));
  const bool equal = __builtin_memcmp(&found, &wanted, sizeof(T)) == 0;
  if (!equal) *expected = found;
  return equal;
}

// The same with the values in memory.
template <class T>
WORKBOOK_SIM_INLINE void __nv_atomic_load(const T* address, T* value, int order,
                                          int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *value = __nv_atomic_load_n(address, order, scope);
}
template <class T>
WORKBOOK_SIM_INLINE void __nv_atomic_store(T* address, const T* value, int order,
                                           int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(address, *value, order, scope);
}
template <class T>
WORKBOOK_SIM_INLINE void __nv_atomic_exchange(T* address, const T* value, T* old, int order,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *old = __nv_atomic_exchange_n(address, *value, order, scope);
}
template <class T>
WORKBOOK_SIM_INLINE bool __nv_atomic_compare_exchange(T* address, T* expected, const T* desired, bool weak,
                                                      int success, int failure,
                                                      int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(address, expected, *desired, weak, success, failure, scope);
}

#define WORKBOOK_SIM_ATOMIC_BUILTIN(NAME, EXPRESSION)                                                  \
  template <class T>                                                                                   \
  WORKBOOK_SIM_INLINE T __nv_atomic_fetch_##NAME(T* address, std::type_identity_t<T> value, int order, \
                                                 int scope = __NV_THREAD_SCOPE_SYSTEM) {               \
    return workbook::sim::atomic_update(                                                               \
        address, [value](T old) -> T { return static_cast<T>(EXPRESSION); },                           \
        workbook::sim::builtin_bits(order, scope));                                                    \
  }                                                                                                    \
  template <class T>                                                                                   \
  WORKBOOK_SIM_INLINE void __nv_atomic_##NAME(T* address, std::type_identity_t<T> value, int order,    \
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {                  \
    static_cast<void>(__nv_atomic_fetch_##NAME(address, value, order, scope));                         \
  }
WORKBOOK_SIM_ATOMIC_BUILTIN(add, old + value)
WORKBOOK_SIM_ATOMIC_BUILTIN(sub, old - value)
WORKBOOK_SIM_ATOMIC_BUILTIN(and, old& value)
WORKBOOK_SIM_ATOMIC_BUILTIN(or, old | value)
WORKBOOK_SIM_ATOMIC_BUILTIN(xor, old ^ value)
WORKBOOK_SIM_ATOMIC_BUILTIN(min, value < old ? value : old)
WORKBOOK_SIM_ATOMIC_BUILTIN(max, old < value ? value : old)
#undef WORKBOOK_SIM_ATOMIC_BUILTIN

WORKBOOK_SIM_INLINE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  workbook_sim_fence_of(scope == __NV_THREAD_SCOPE_DEVICE   ? 1
                        : scope == __NV_THREAD_SCOPE_SYSTEM ? 2
                                                            : 0,
                        workbook::sim::builtin_acquires(order), workbook::sim::builtin_releases(order));
}
