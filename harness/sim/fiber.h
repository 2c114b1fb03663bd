// Stacks that simulated threads run on, switched with Boost.Context (about 8 ns a switch).
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>

namespace workbook::sim {

/// A fiber runs one simulated thread after another until one has to wait; then it belongs to that thread.
struct Fiber {
  boost::context::detail::fcontext_t context = nullptr;
  std::byte* stack = nullptr;  ///< lowest address
  std::size_t bytes = 0;
};

/// A fiber whose first switch enters `entry`. Its stack has a guard page below it and starts at an offset
/// of its own: equal strides would alias in the cache and triple the cost of a switch.
Fiber* create_fiber(void (*entry)(boost::context::detail::transfer_t));
/// Makes `fiber` start afresh at `entry`, forgetting whatever it was running.
void reset_fiber(Fiber& fiber, void (*entry)(boost::context::detail::transfer_t));
void destroy_fiber(Fiber* fiber);

/// Whether `address` lies in the stack of any fiber of this process.
bool on_fiber_stack(std::uintptr_t address);

}  // namespace workbook::sim
