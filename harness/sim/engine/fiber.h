// Stacks that simulated threads run on, and the switch from one to another.
#pragma once

#include <cstddef>
#include <cstdint>

namespace workbook::sim {

/// A fiber runs one simulated thread after another until one has to wait; then it belongs to that thread.
struct Fiber {
  void* context = nullptr;     ///< where it stopped; for switch_to()
  std::byte* stack = nullptr;  ///< lowest address
  std::size_t bytes = 0;
  bool abandoned = false;  ///< whether a thread was ended on it that had not come to its kernel's end
};

/// A fiber whose first switch enters `entry`. Its stack has a guard page below it and starts at an offset
/// of its own: equal strides would alias in the cache and triple the cost of a switch.
Fiber* create_fiber(void (*entry)());
/// Makes `fiber` start afresh at `entry`, forgetting whatever it was running.
void reset_fiber(Fiber& fiber, void (*entry)());
void destroy_fiber(Fiber* fiber);

/// Stops here, noting in `save` where, and goes on where `to` stopped. Returns when something switches back.
void switch_to(void*& save, void* to);

/// What a stack takes of the address space. A thread of a GPU has at most 512 KiB of local memory, and an
/// unoptimised build needs more of it.
inline constexpr std::size_t kStackBytes = 1024 * 1024;
/// Whether `address` lies in what is set aside for the stacks of this process, in use or not.
bool on_fiber_stack(std::uintptr_t address);
/// Whether it lies in the stack of this one, its guard included.
inline bool is_on_stack_of(const Fiber& fiber, std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(fiber.stack) < kStackBytes;
}
/// In the guard at the end of a stack: whoever touches it has used the stack up.
bool is_beyond_fiber_stack(std::uintptr_t address);
inline constexpr const char* kStackFull =
    "a thread has used up its stack of 1 MiB: is an array of its own too large, or does a function call "
    "itself "
    "without end?";

}  // namespace workbook::sim
