#include "fiber.h"

#include <sys/mman.h>

#include <atomic>
#include <new>

namespace workbook::sim {
namespace {

constexpr std::size_t kStackBytes = 256 * 1024;
constexpr std::size_t kGuardBytes = 4096;
constexpr std::size_t kStagger = 192;
constexpr std::size_t kMaxFibers = 64 * 1024;

// All stacks lie in one reserved range, so that "is this a stack address" is one comparison.
std::byte* stack_range() {
  static std::byte* const range = [] {
    void* p = mmap(nullptr, kStackBytes * kMaxFibers, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    return static_cast<std::byte*>(p);
  }();
  return range;
}

std::atomic<std::size_t> next_stack{0};

}  // namespace

Fiber* create_fiber(void (*entry)(boost::context::detail::transfer_t)) {
  const std::size_t number = next_stack++;
  if (number >= kMaxFibers) throw std::bad_alloc();
  std::byte* low = stack_range() + number * kStackBytes;
  if (mprotect(low + kGuardBytes, kStackBytes - kGuardBytes, PROT_READ | PROT_WRITE) != 0)
    throw std::bad_alloc();
  auto* fiber = new Fiber;
  fiber->stack = low;
  fiber->bytes = kStackBytes - (number % 64) * kStagger;
  reset_fiber(*fiber, entry);
  return fiber;
}

void reset_fiber(Fiber& fiber, void (*entry)(boost::context::detail::transfer_t)) {
  fiber.context =
      boost::context::detail::make_fcontext(fiber.stack + fiber.bytes, fiber.bytes - kGuardBytes, entry);
}

void destroy_fiber(Fiber* fiber) {
  munmap(fiber->stack, kStackBytes);
  delete fiber;
}

bool on_fiber_stack(std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(stack_range()) < kStackBytes * kMaxFibers;
}

}  // namespace workbook::sim
