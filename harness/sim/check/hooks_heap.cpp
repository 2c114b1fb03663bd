// malloc, free, new and delete: in kernels the device's heap, on the host the host's. The linker is told to
// wrap them (cli/compile/simulator_toolchain.cpp); the engine's own calls pass through.
#include <malloc.h>

#include <cstddef>
#include <iterator>
#include <new>
#include <optional>

#include "diagnosis.h"
#include "hooks.h"
#include "host_blocks.h"
#include "memory_findings.h"
#include "sim/engine/device_heap.h"
#include "sim/engine/loop_watch.h"
#include "sim/engine/registered.h"
#include "sim/source/symbols.h"

using namespace workbook;
using namespace workbook::sim;

namespace {

bool in_kernel(Pc pc) {
  return this_worker != nullptr && this_worker->current != nullptr && is_learner_code(pc);
}

void* allocate(std::size_t bytes, Pc pc) {
  if (this_worker->loops) this_worker->loops->changed();
  const EngineScope scope;
  return DeviceHeap::get().allocate(bytes, pc);
}

/// What the host gives back somebody may fill whom no hook sees.
void forget_unset(void* p) {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  if (p == nullptr || !UnsetCopies::concerns(at, 1)) return;
  UnsetCopies::get().written(at, malloc_usable_size(p));
}

/// `pc`: who asked for it. The engine's own blocks are nobody's business.
void* taken_by_host(void* block, std::size_t bytes, Pc pc) {
  if (!workbook_sim_is_diagnosing()) return block;
  const auto at = reinterpret_cast<std::uintptr_t>(block);
  // Code that no hook sees may have given it back before.
  if (StreamOrder::has_functions() && StreamOrder::is_watched(at))
    StreamOrder::get().forget_memory(at, malloc_usable_size(block));
  if (is_learner_code(pc)) HostBlocks::get().took(block, bytes);
  return block;
}

/// Functions that streams call may still use what is given back.
void tell_functions(void* p, const char* call, Pc pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  if (p == nullptr || !StreamOrder::has_functions() || !StreamOrder::is_watched(at)) return;
  const std::size_t bytes = malloc_usable_size(p);
  if (is_learner_code(pc)) StreamOrder::get().see_release(at, bytes, call, pc);
  StreamOrder::get().forget_memory(at, bytes);
}

void tell(runs::FindingClass klass, Pc pc, Pc other, const char* call, const std::string& what,
          const char* advice) {
  if (!workbook_sim_is_diagnosing()) return;
  Worker* const worker = this_worker;
  const bool kernel =
      worker != nullptr && worker->running != nullptr && worker->launch != nullptr && worker->busy;
  Diagnosis::get().findings.add(klass, pc, other, [&](runs::Finding& f) {
    std::string who = "the host";
    if (kernel) {
      f.kernel = worker->launch->kernel->name;
      f.who = checker_of(*worker).scene.id_of(*worker->running);
      who = checker_of(*worker).scene.name(*f.who);
    }
    f.message = who + " gives " + call + " " + what + ".";
    f.advice = advice;
  });
}

/// Memory that is registered with the device has to be that until all work on it has ended. Told once: what
/// lies there next is not registered.
void tell_of_registered(void* p, const char* call, Pc pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  if (p == nullptr || registered_ranges().empty() || !is_learner_code(pc) || !is_registered(at)) return;
  registered_ranges().erase(std::prev(registered_ranges().upper_bound(at)));
  StreamOrder::get().see_release(at, malloc_usable_size(p), call, pc);
  tell(runs::FindingClass::bad_api_call, pc, 0, call,
       "memory that cudaHostRegister() made known to the device",
       "Call cudaHostUnregister() first, once the work that uses the memory has ended.");
}

/// Whoever gives back: what the program took, code of others may end. Its bytes, where they are known.
std::optional<std::size_t> give_back(void* p, const char* call, Pc pc) {
  forget_unset(p);
  if (!workbook_sim_is_diagnosing()) return std::nullopt;
  tell_functions(p, call, pc);
  tell_of_registered(p, call, pc);
  return HostBlocks::get().gave_back(p);
}

/// The same, where `release` ends it: at once, or, of the program's own blocks, some time later.
void end_block(void* p, const char* call, void (*release)(void*), Pc pc) {
  if (const auto before = HostBlocks::get().find_freed(reinterpret_cast<std::uintptr_t>(p)))
    return tell(
        runs::FindingClass::double_free, pc, before->pc, call, "memory again that has been given back",
        "Give each block back once; set the pointer to nullptr then: to give that back does nothing. Or "
        "do two objects have the same pointer, one a copy of the other?");
  const auto bytes = give_back(p, call, pc);
  if (!bytes || !HostBlocks::get().keeps(p, *bytes, release, pc)) release(p);
}

/// The host gives back what no function of the host's gave.
void tell_of_device_memory(std::uintptr_t at, Pc pc, const char* call) {
  const std::uint64_t offset = at - Arena::base();
  const Allocation* const a = offset < kArenaBytes ? Arena::get().find(offset) : nullptr;
  if (a == nullptr)
    return tell(
        runs::FindingClass::host_deref, pc, 0, call, "memory of the device",
        "What kernels took from their heap only kernels give back; what cudaMalloc gave goes to cudaFree().");
  const bool pinned = a->kind == MemoryKind::pinned;
  const char* const from = pinned                           ? "cudaMallocHost() or cudaHostAlloc()"
                           : a->kind == MemoryKind::managed ? "cudaMallocManaged()"
                                                            : "cudaMalloc()";
  tell(runs::FindingClass::host_deref, pc, 0, call,
       std::string("memory that ") + from + " gave: " + allocation_name(*a),
       pinned ? "Give it to cudaFreeHost()." : "Give it to cudaFree().");
}

/// True when the pointer is the host's and `pc` the host.
bool is_for_host(void* pointer, Pc pc, const char* call) {
  const auto at = reinterpret_cast<std::uintptr_t>(pointer);
  const bool kernel = in_kernel(pc), device = Arena::contains(at);
  if (pointer == nullptr || (!kernel && !device)) return !kernel;
  if (!kernel && this_worker != nullptr && this_worker->current != nullptr) {
    // Engine code that a kernel has called gives back what a template's instance took, and the linker took
    // that instance from the learner's object.
    const EngineScope scope;
    DeviceHeap::get().release(pointer, pc);
    return false;
  }
  if (!kernel) {
    tell_of_device_memory(at, pc, call);
    return false;
  }
  if (this_worker->loops) this_worker->loops->changed();
  const EngineScope scope;
  switch (device ? DeviceHeap::get().release(pointer, pc) : DeviceHeap::Freed::never_given) {
    case DeviceHeap::Freed::yes:
      break;
    case DeviceHeap::Freed::twice: {
      const Allocation a = DeviceHeap::described(*DeviceHeap::get().find(at - Arena::base()));
      tell(runs::FindingClass::double_free, pc, a.freed_at, call,
           allocation_name(a) + " again, which was " + freed_where(a),
           "Free each allocation once, by one thread: is this line run by all of them?");
      break;
    }
    case DeviceHeap::Freed::never_given:
      tell(runs::FindingClass::oob_global, pc, 0, call, "a pointer that the device's heap did not give",
           "In a kernel only what malloc() or new gave in a kernel is freed, at the address that it gave.");
  }
  return false;
}

}  // namespace

extern "C" {

void* __real_malloc(std::size_t) __attribute__((weak));
void* __real_calloc(std::size_t, std::size_t) __attribute__((weak));
void* __real_realloc(void*, std::size_t) __attribute__((weak));
void* __real__Znwm(std::size_t) __attribute__((weak));
void* __real__Znam(std::size_t) __attribute__((weak));
void __real_free(void*) __attribute__((weak));
void __real__ZdlPv(void*) __attribute__((weak));
void __real__ZdaPv(void*) __attribute__((weak));

void* __wrap_malloc(std::size_t bytes) {
  return in_kernel(WORKBOOK_PC) ? allocate(bytes, WORKBOOK_PC)
                                : taken_by_host(__real_malloc(bytes), bytes, WORKBOOK_PC);
}
// Kernels have no such functions.
void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  return taken_by_host(__real_calloc(count, bytes), count * bytes, WORKBOOK_PC);
}
void* __wrap_realloc(void* p, std::size_t bytes) {
  const auto had = give_back(p, "realloc()", WORKBOOK_PC);  // before another thread is given the same address
  void* const given = __real_realloc(p, bytes);
  if (given == nullptr && bytes > 0 && had) HostBlocks::get().took(p, *had);  // it is the program's as before
  return taken_by_host(given, bytes, WORKBOOK_PC);
}
void* __wrap__Znwm(std::size_t bytes) {
  return in_kernel(WORKBOOK_PC) ? allocate(bytes, WORKBOOK_PC)
                                : taken_by_host(__real__Znwm(bytes), bytes, WORKBOOK_PC);
}
void* __wrap__Znam(std::size_t bytes) {
  return in_kernel(WORKBOOK_PC) ? allocate(bytes, WORKBOOK_PC)
                                : taken_by_host(__real__Znam(bytes), bytes, WORKBOOK_PC);
}
void __wrap_free(void* p) {
  if (is_for_host(p, WORKBOOK_PC, "free()")) {
    end_block(p, "free()", __real_free, WORKBOOK_PC);
  }
}
void __wrap__ZdlPv(void* p) {
  if (is_for_host(p, WORKBOOK_PC, "delete")) {
    end_block(p, "delete", __real__ZdlPv, WORKBOOK_PC);
  }
}
void __wrap__ZdaPv(void* p) {
  if (is_for_host(p, WORKBOOK_PC, "delete[]")) {
    end_block(p, "delete[]", __real__ZdaPv, WORKBOOK_PC);
  }
}
void __wrap__ZdlPvm(void* p, std::size_t) {
  if (is_for_host(p, WORKBOOK_PC, "delete")) {
    end_block(p, "delete", __real__ZdlPv, WORKBOOK_PC);
  }
}
void __wrap__ZdaPvm(void* p, std::size_t) {
  if (is_for_host(p, WORKBOOK_PC, "delete[]")) {
    end_block(p, "delete[]", __real__ZdaPv, WORKBOOK_PC);
  }
}
}
