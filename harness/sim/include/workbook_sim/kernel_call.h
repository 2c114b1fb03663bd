// What `kernel<<<grid, block>>>(arguments)` becomes:
// WORKBOOK_SIM_KERNEL(kernel)(LaunchConfig(...))(arguments). `kernel` is whatever CUDA accepts there: a
// function, one of several overloads, a template with all, some or none of its arguments, a pointer, in a
// macro too. Which of these it is, the compiler finds out here.
#pragma once

#include <type_traits>
#include <utility>

#include "launch.h"
#include "rewritten.h"

namespace workbook::sim {

template <class... Params>
struct Types {};

/// The address of what names exactly one function. `Tag` makes the call dependent, so that a failure is an
/// answer and no error.
template <class Tag, class... Params>
constexpr auto only_function(void (*kernel)(Params...)) {
  return kernel;
}

/// A kernel whose parameters depend on the arguments. `overload(Types<...>)` gives the function with exactly
/// those parameters, if there is one; `call(arguments...)` calls what the arguments select.
template <class Overload, class Call>
struct DeducedLauncher {
  const char* name;  ///< as the launch has it: no function is known that could give its own
  LaunchConfig config;
  Overload overload;
  Call call;

  template <class... Args>
  void operator()(Args... args) const {
    if constexpr (std::is_invocable_v<Overload, Types<Args...>>) {
      launch(nullptr, config, overload(Types<Args...>{}))(args...);
    } else {
      static_assert(std::is_invocable_v<Call, Args...>, "no kernel of this name takes these arguments");
      launch_closure(name, name, config, [call = call, args...] { call(args...); });
    }
  }
};

/// A kernel that is one function: called with all its arguments, or with fewer where it has defaults.
template <class Overload, class Call, class... Params>
struct OneLauncher : Launcher<Params...> {
  Overload overload;
  Call call;
  const char* written;  ///< as the launch names it

  using Launcher<Params...>::operator();
  template <class... Args>
  requires(sizeof...(Args) < sizeof...(Params)) void operator()(Args... args) const {
    static_assert(std::is_invocable_v<Call, Args...>, "the kernel takes more arguments, and has no defaults");
    launch_closure(nullptr, reinterpret_cast<const void*>(this->kernel), this->config,
                   [call = call, args...] { call(args...); });
  }
  /// A function of the host has the kernel's name and takes nothing: that one was found, and is not meant.
  template <class... Args>
  requires(sizeof...(Args) > sizeof...(Params)) void operator()(Args... args) const {
    DeducedLauncher<Overload, Call>{written, this->config, overload, call}(args...);
  }
};
template <class Overload, class Call, class... Params>
OneLauncher<Overload, Call, Params...> launch_one(const char* name, const LaunchConfig& config,
                                                  void (*kernel)(Params...), Overload overload, Call call) {
  return {{nullptr, config, kernel, &named_signature_of<Call, Params...>}, overload, call, name};
}

template <class Only, class Overload, class Call>
struct KernelCall {
  const char* name;
  Only only;
  Overload overload;
  Call call;

  auto operator()(const LaunchConfig& config) const {
    if constexpr (std::is_invocable_v<Only, int>)
      return launch_one(name, config, only(0), overload, call);
    else
      return DeducedLauncher<Overload, Call>{name, config, overload, call};
  }
};

template <class Only, class Overload, class Call>
KernelCall<Only, Overload, Call> kernel_call(const char* name, Only only, Overload overload, Call call) {
  return {name, only, overload, call};
}

/// For a kernel declared with __cluster_dims__.
template <class Config>
Config with_cluster(dim3 cluster, Config config) {
  config.cluster = cluster;
  return config;
}

}  // namespace workbook::sim

// What a lambda takes follows from its result's type: of a requires-clause with a template-id whose arguments
// are local constants g++ 14 has an internal error.
#define WORKBOOK_SIM_KERNEL(...)                                                                 \
  ::workbook::sim::kernel_call(                                                                  \
      WORKBOOK_SIM_TEXT(__VA_ARGS__),                                                            \
      [&](auto workbook_tag) -> decltype(::workbook::sim::only_function<decltype(workbook_tag)>( \
                                 __VA_ARGS__)) {                                                 \
        return ::workbook::sim::only_function<decltype(workbook_tag)>(__VA_ARGS__);              \
      },                                                                                         \
      WORKBOOK_SIM_OVERLOAD(__VA_ARGS__), WORKBOOK_SIM_CALL(__VA_ARGS__))

/// For a template-id that leaves arguments to be deduced although they have defaults.
#define WORKBOOK_SIM_DEDUCED_KERNEL(...)                                                                    \
  ::workbook::sim::kernel_call(WORKBOOK_SIM_TEXT(__VA_ARGS__), nullptr, WORKBOOK_SIM_OVERLOAD(__VA_ARGS__), \
                               WORKBOOK_SIM_CALL(__VA_ARGS__))

#define WORKBOOK_SIM_OVERLOAD(...)                                         \
  [&]<class... WorkbookParams>(::workbook::sim::Types<WorkbookParams...>)  \
      -> decltype(static_cast<void (*)(WorkbookParams...)>(__VA_ARGS__)) { \
    return static_cast<void (*)(WorkbookParams...)>(__VA_ARGS__);          \
  }

#define WORKBOOK_SIM_CALL(...)                                                                         \
  [&](auto... workbook_arguments) -> decltype(static_cast<void>(__VA_ARGS__(workbook_arguments...))) { \
    __VA_ARGS__(workbook_arguments...);                                                                \
  }

#define WORKBOOK_SIM_TEXT(...) WORKBOOK_SIM_TEXT_AS_IS(__VA_ARGS__)
#define WORKBOOK_SIM_TEXT_AS_IS(...) #__VA_ARGS__
