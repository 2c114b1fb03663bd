// Loads and stores with a cache hint, and promises to the compiler. The hint changes no value: each is one
// access of the vector's or number's size, at the caller's line.
#pragma once

#include <type_traits>

#include "attributes.h"

/// Before a load that needs memory which the launch does not write.
extern "C" void workbook_sim_read_only(const void* address);

#define WORKBOOK_SIM_LOAD(NAME)                  \
  template <class T>                             \
  WORKBOOK_SIM_INLINE T NAME(const T* address) { \
    return *address;                             \
  }
WORKBOOK_SIM_LOAD(__ldca)
WORKBOOK_SIM_LOAD(__ldcg)
WORKBOOK_SIM_LOAD(__ldcs)
WORKBOOK_SIM_LOAD(__ldlu)
WORKBOOK_SIM_LOAD(__ldcv)
#undef WORKBOOK_SIM_LOAD

/// Through the cache for data that the kernel only reads, whoever writes it: what the launch writes it may
/// not find.
template <class T>
WORKBOOK_SIM_INLINE T __ldg(const T* address) {
#if WORKBOOK_SIM_IS_TRACED
  workbook_sim_read_only(address);
#endif
  return *address;
}

#define WORKBOOK_SIM_STORE(NAME)                                             \
  template <class T>                                                         \
  WORKBOOK_SIM_INLINE void NAME(T* address, std::type_identity_t<T> value) { \
    *address = value;                                                        \
  }
WORKBOOK_SIM_STORE(__stwb)
WORKBOOK_SIM_STORE(__stcg)
WORKBOOK_SIM_STORE(__stcs)
WORKBOOK_SIM_STORE(__stwt)
#undef WORKBOOK_SIM_STORE

#ifndef __clang__
#define __builtin_assume(condition) ((condition) ? static_cast<void>(0) : __builtin_unreachable())
#endif
#define __assume(condition) __builtin_assume(condition)
