// What the rewriter (harness/translate/rewrite.h) puts into a program beside launches, which are in
// kernel_call.h.
#pragma once

#include "launch.h"
#include "runtime/graph_nodes.h"
#include "runtime/launch.h"

namespace workbook::sim {

/// The address of a kernel that the program keeps as a `void*`.
template <class... Params>
void* kernel_address(void (*kernel)(Params...)) {
  register_kernel(kernel);
  return reinterpret_cast<void*>(kernel);
}

}  // namespace workbook::sim

/// Whether a function for host and device runs in a kernel. What the compiler computes is the host's.
#define WORKBOOK_SIM_ON_DEVICE (!__builtin_is_constant_evaluated() && ::workbook_sim_on_device())

#define WORKBOOK_SIM_JOIN(a, b) WORKBOOK_SIM_JOIN_AS_IS(a, b)
#define WORKBOOK_SIM_JOIN_AS_IS(a, b) a##b

/// Where code is made of it, an error that says `text`.
#define WORKBOOK_SIM_REFUSE(text) \
  WORKBOOK_SIM_REFUSE_AS(WORKBOOK_SIM_JOIN(workbook_sim_refused_, __COUNTER__), text)
#define WORKBOOK_SIM_REFUSE_AS(name, text)    \
  __extension__({                             \
    void name() __attribute__((error(text))); \
    name();                                   \
  })

/// Behind a kernel: what its __launch_bounds__ say.
#define WORKBOOK_SIM_BOUNDS(kernel, ...)                                         \
  [[maybe_unused]] static const ::workbook::sim::LaunchBounds WORKBOOK_SIM_JOIN( \
      workbook_bounds_, __COUNTER__)(#kernel, __VA_ARGS__);
