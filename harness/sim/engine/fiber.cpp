#include "fiber.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "deep_stack.h"
#include "shadow.h"

// WORKBOOK_BOOST_FIBERS takes the portable way on x86-64, too.
#if defined(__x86_64__) && !defined(WORKBOOK_BOOST_FIBERS)
#define WORKBOOK_OWN_SWITCH
#else
#include <boost/context/detail/fcontext.hpp>
#endif

namespace workbook::sim {
namespace {

#if defined(__aarch64__)
constexpr std::size_t kGuardBytes =
    65536;  // the largest page, and how far apart a large frame touches its pages
#else
constexpr std::size_t kGuardBytes = 4096;
#endif
constexpr std::size_t kStagger = 192;
// A grid that must be resident as a whole has as many threads as the GPU holds: 2048 on each of 132
// multiprocessors; 256 workers of 1024 threads are fewer.
constexpr std::size_t kMaxFibers = 320 * 1024;
// Each guard page splits a mapping in two, of which a process may have 65530 (vm.max_map_count). Stacks
// beyond these have none; the pages of their neighbours are one mapping.
constexpr std::size_t kGuardedFibers = 24 * 1024;

// All stacks lie in one reserved range, so that "is this a stack address" is one comparison.
std::byte* stack_range() {
  static std::byte* const range = static_cast<std::byte*>(reserve_memory(kStackBytes * kMaxFibers, false));
  return range;
}

std::atomic<std::size_t> next_stack{0};

// Nobody could catch what is thrown here: the frames below are the kernel's.
[[noreturn]] void end_without_stack(const char* why) {
  std::fprintf(stderr, "no stack for thread %zu of those that wait at the same time: %s\n", next_stack.load(),
               why);
  std::abort();
}

}  // namespace

Fiber* create_fiber(void (*entry)()) {
  const std::size_t number = next_stack++;
  if (number >= kMaxFibers) end_without_stack("more than a GPU holds");
  std::byte* low = stack_range() + number * kStackBytes;
  const bool guarded = number < kGuardedFibers &&
                       mprotect(low + kGuardBytes, kStackBytes - kGuardBytes, PROT_READ | PROT_WRITE) == 0;
  if (!guarded && mprotect(low, kStackBytes, PROT_READ | PROT_WRITE) != 0)
    end_without_stack(std::strerror(errno));
  auto* fiber = new Fiber;
  fiber->stack = low;
  fiber->bytes = kStackBytes - (number % 64) * kStagger;
  DeepStack::get().watch(number, fiber->stack, fiber->bytes);
  reset_fiber(*fiber, entry);
  return fiber;
}

#ifdef WORKBOOK_OWN_SWITCH

// Boost's switch leaves by an indirect jump, so the processor's stack of return addresses is one entry off
// afterwards, and every return on the way back into the kernel is mispredicted: 25 ns a barrier. This one
// leaves by `ret`. Rounding modes are not saved: kernels cannot change them.
asm(R"(
  .text
  .globl workbook_sim_switch
  .type workbook_sim_switch, @function
workbook_sim_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size workbook_sim_switch, . - workbook_sim_switch
)");
extern "C" void workbook_sim_switch(void** save, void* to);

void switch_to(void*& save, void* to) { workbook_sim_switch(&save, to); }

void reset_fiber(Fiber& fiber, void (*entry)()) {
  auto** top = reinterpret_cast<void**>(fiber.stack + fiber.bytes / 64 * 64);
  *--top = nullptr;  // the return address of `entry`: where a backtrace ends
  *--top = reinterpret_cast<void*>(entry);
  for (int saved = 0; saved < 6; ++saved) *--top = nullptr;
  fiber.context = top;
}

#else

namespace {

using boost::context::detail::transfer_t;

void (*fiber_main)() = nullptr;  // one for all fibers

void note_caller(transfer_t from) { *static_cast<void**>(from.data) = from.fctx; }

void begin(transfer_t from) {
  note_caller(from);
  fiber_main();
}

}  // namespace

void switch_to(void*& save, void* to) { note_caller(boost::context::detail::jump_fcontext(to, &save)); }

void reset_fiber(Fiber& fiber, void (*entry)()) {
  fiber_main = entry;
  fiber.context =
      boost::context::detail::make_fcontext(fiber.stack + fiber.bytes, fiber.bytes - kGuardBytes, &begin);
}

#endif

void destroy_fiber(Fiber* fiber) {
  munmap(fiber->stack, kStackBytes);
  delete fiber;
}

bool on_fiber_stack(std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(stack_range()) < kStackBytes * kMaxFibers;
}

bool is_beyond_fiber_stack(std::uintptr_t address) {
  return on_fiber_stack(address) &&
         (address - reinterpret_cast<std::uintptr_t>(stack_range())) % kStackBytes < kGuardBytes;
}

}  // namespace workbook::sim
