// What the rewriter (harness/translate/two_spaces.h) puts into a program about its two address spaces. On a
// GPU the host has a copy of its own of each variable of the device, at another address, and other addresses
// of its functions.
#pragma once

#include <cstddef>
#include <type_traits>

#include "rewritten.h"
#include "runtime/errors.h"

extern "C" {
/// `kind`: 0 `__device__`, 1 `__constant__`, 2 the same without a value, 3 `__managed__`.
void workbook_sim_register_variable(const volatile void* variable, std::size_t bytes, const char* name,
                                    int kind);
/// One of the host's.
void workbook_sim_register_host_variable(const volatile void* variable, std::size_t bytes, const char* name);
/// Code that was written for the host runs.
void workbook_sim_runs_on_host();
/// The host's copy of a variable that is registered; any other address itself.
void* workbook_sim_host_copy(const volatile void* variable);
/// The variable of whose copy the host has the address; any other address itself.
const void* workbook_sim_device_variable(const void* symbol);
void workbook_sim_taken_on_host(const void* function, const char* file, int line);
/// `library`: "cuda", or that of the error's type. `name`: of the error.
void workbook_sim_dropped(const char* call, const char* library, int error, const char* name,
                          const char* file, int line);
}

namespace workbook::sim {

/// Makes a variable of the device known, before main().
struct DeviceVariable {
  DeviceVariable(const volatile void* variable, std::size_t bytes, const char* name, int kind) {
    workbook_sim_register_variable(variable, bytes, name, kind);
  }
};

/// Makes a variable of the host known, likewise.
struct HostVariable {
  HostVariable(const volatile void* variable, std::size_t bytes, const char* name) {
    workbook_sim_register_host_variable(variable, bytes, name);
  }
};

/// At the begin of a lambda without `__device__`.
WORKBOOK_SIM_INLINE constexpr void runs_on_host() {
  if (!std::is_constant_evaluated()) workbook_sim_runs_on_host();
}

/// What the host has where it names a variable of the device; what is none stays what it is.
template <class T>
constexpr T&& host_copy(T&& named) {
  using Plain = std::remove_reference_t<T>;
  if constexpr (!std::is_function_v<Plain>)
    if (!std::is_constant_evaluated())
      return static_cast<T&&>(*static_cast<Plain*>(workbook_sim_host_copy(__builtin_addressof(named))));
  return static_cast<T&&>(named);
}

/// The address of a function of the device, which the host takes; what is none stays what it is.
template <class T>
constexpr decltype(auto) taken_on_host(T&& named, const char* file = __builtin_FILE(),
                                       int line = __builtin_LINE()) {
  using Plain = std::remove_cvref_t<T>;
  constexpr bool kPointer = std::is_pointer_v<Plain> && std::is_function_v<std::remove_pointer_t<Plain>>;
  if constexpr (std::is_function_v<Plain>) {
    if (!std::is_constant_evaluated())
      workbook_sim_taken_on_host(reinterpret_cast<const void*>(&named), file, line);
    return &named;
  } else {
    if constexpr (kPointer)
      if (!std::is_constant_evaluated())
        workbook_sim_taken_on_host(reinterpret_cast<const void*>(named), file, line);
    return static_cast<T&&>(named);
  }
}

/// Behind a call whose result is dropped: `cudaFree(p), Dropped("cudaFree")`.
struct Dropped {
  const char* call;
  const char* file;
  int line;
  explicit Dropped(const char* call_, const char* file_ = __builtin_FILE(), int line_ = __builtin_LINE())
      : call(call_), file(file_), line(line_) {}
  ~Dropped() {}
};
inline void operator,(cudaError_t error, const Dropped& at) {
  if (error != cudaSuccess)
    workbook_sim_dropped(at.call, "cuda", error, cudaGetErrorName(error), at.file, at.line);
}

}  // namespace workbook::sim

#define WORKBOOK_SIM_VARIABLE(name, kind)                                          \
  static_assert(((kind) != 1 && (kind) != 2) || sizeof(name) <= 65536,             \
                "__constant__ memory has 64 KiB, and " #name " is larger");        \
  [[maybe_unused]] static const ::workbook::sim::DeviceVariable WORKBOOK_SIM_JOIN( \
      workbook_variable_, __COUNTER__)(__builtin_addressof(name), sizeof(name), #name, kind);
#define WORKBOOK_SIM_HOST_VARIABLE(name)                                         \
  [[maybe_unused]] static const ::workbook::sim::HostVariable WORKBOOK_SIM_JOIN( \
      workbook_variable_, __COUNTER__)(__builtin_addressof(name), sizeof(name), #name);
