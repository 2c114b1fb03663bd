// The symbols that the compiler's thread sanitizer instrumentation and the simulator's headers call. Linking
// without the sanitizer's own run-time library makes them ours: each runs before the access it announces.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bounds_findings.h"
#include "hooks.h"
#include "idioms.h"
#include "sim/engine/device_heap.h"
#include "sim/engine/loop_watch.h"
#include "sim/source/symbols.h"
#include "undefined_findings.h"
#include "workbook_sim/arithmetic.h"
#include "workbook_sim/atomics.h"

using namespace workbook;
using namespace workbook::sim;

namespace {

bool diagnosing = false;

bool in_own_shared(std::uintptr_t address) { return checker_of(*this_worker).scene.is_shared(address); }

Ordering& ordering_of(const Worker& worker) { return checker_of(worker).scene.ordering; }

/// `stored`: bytes of the store that comes next; 0: it is another operation.
void publish(Worker& worker, std::uintptr_t address, bool narrow = false, std::uint32_t stored = 0) {
  const EngineScope scope;
  ordering_of(worker).release(address, in_own_shared(address), narrow, stored);
}

void fence(int reach, bool acquires, bool releases) {
  Worker& worker = running_worker("a memory fence");
  // The threads of a block share a core; other blocks may be on others.
  if (reach > 0) {
    worker.let_others_begin();
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  ++worker.fences;
  if (!worker.events) return;
  const EngineScope scope;
  ordering_of(worker).fence(reach > 0, acquires, releases);
}

/// Volatile accesses are how programs without atomics signal each other: with a fence before the write they
/// order like an atomic. Loops that wait on one let others run.
template <runs::Access kKind>
void note_volatile(void* a, std::uint32_t bytes, Pc pc) {
  Worker* const worker = this_worker;
  const auto at = reinterpret_cast<std::uintptr_t>(a);
  if (worker == nullptr || worker->current == nullptr) return note_host(at, bytes, kKind, true, pc);
  if (kKind == runs::Access::read) {
    static thread_local std::uint32_t reads = 0;
    if (++reads % 64 == 0) worker->yield();
    {
      const EngineScope scope;
      ordering_of(*worker).note_sync(at, in_own_shared(at));
    }
    return checker_of(*worker).access<runs::Access::read, true>(at, bytes, pc);
  }
  if (SimThread& t = *worker->running; t.syncs_pending != 0) {
    const EngineScope scope;
    ordering_of(*worker).catch_up(t);  // before what it has seen is overwritten
  }
  if (!ordering_of(*worker).has_fenced()) return checker_of(*worker).access<kKind>(at, bytes, pc);
  checker_of(*worker).access<kKind, true>(at, bytes, pc);
  publish(*worker, at, false, bytes);
}

/// What the compiler itself says may begin anywhere: neighbours that it reads together, a member of a packed
/// record. Nothing is wrong with that in a thread's own variables, where a GPU's compiler makes several of
/// it.
template <runs::Access kKind, std::uint32_t kBytes>
void note_unaligned(void* a, Pc pc) {
  if constexpr (kBytes > 1) {
    const auto at = reinterpret_cast<std::uintptr_t>(a);
    const Worker* const worker = this_worker;
    if (at % kBytes != 0 && worker != nullptr && worker->current != nullptr &&
        is_on_stack_of(*worker->current->fiber, at)) {
      note_unaligned<kKind, kBytes / 2>(a, pc);
      return note_unaligned<kKind, kBytes / 2>(static_cast<char*>(a) + kBytes / 2, pc);
    }
  }
  note_plain<kKind, kBytes>(a, pc);
}

}  // namespace

#define WORKBOOK_HOOKS(BYTES)                                                                               \
  void __tsan_read##BYTES(void* a) { note_plain<runs::Access::read, BYTES>(a, WORKBOOK_PC); }               \
  void __tsan_write##BYTES(void* a) { note_plain<runs::Access::write, BYTES>(a, WORKBOOK_PC); }             \
  void __tsan_unaligned_read##BYTES(void* a) { note_unaligned<runs::Access::read, BYTES>(a, WORKBOOK_PC); } \
  void __tsan_unaligned_write##BYTES(void* a) {                                                             \
    note_unaligned<runs::Access::write, BYTES>(a, WORKBOOK_PC);                                             \
  }                                                                                                         \
  void __tsan_volatile_read##BYTES(void* a) { note_volatile<runs::Access::read>(a, BYTES, WORKBOOK_PC); }   \
  void __tsan_volatile_write##BYTES(void* a) { note_volatile<runs::Access::write>(a, BYTES, WORKBOOK_PC); } \
  void __tsan_unaligned_volatile_read##BYTES(void* a) {                                                     \
    note_volatile<runs::Access::read>(a, BYTES, WORKBOOK_PC);                                               \
  }                                                                                                         \
  void __tsan_unaligned_volatile_write##BYTES(void* a) {                                                    \
    note_volatile<runs::Access::write>(a, BYTES, WORKBOOK_PC);                                              \
  }                                                                                                         \
  void __tsan_read_write##BYTES(void* a) {                                                                  \
    note_plain<runs::Access::read, BYTES>(a, WORKBOOK_PC);                                                  \
    note_plain<runs::Access::write, BYTES>(a, WORKBOOK_PC);                                                 \
  }                                                                                                         \
  void __tsan_unaligned_read_write##BYTES(void* a) {                                                        \
    note_unaligned<runs::Access::read, BYTES>(a, WORKBOOK_PC);                                              \
    note_unaligned<runs::Access::write, BYTES>(a, WORKBOOK_PC);                                             \
  }

extern "C" {

// Called by a constructor of every instrumented object: so this program is the diagnosing build.
void __tsan_init() { diagnosing = true; }
bool workbook_sim_is_diagnosing() { return diagnosing; }

WORKBOOK_HOOKS(1)
WORKBOOK_HOOKS(2)
WORKBOOK_HOOKS(4)
WORKBOOK_HOOKS(8)
WORKBOOK_HOOKS(16)

void __tsan_read_range(void* a, std::size_t bytes) { note_range(a, bytes, false, WORKBOOK_PC); }
void __tsan_write_range(void* a, std::size_t bytes) {
  UnsetCopies::get().written(reinterpret_cast<std::uintptr_t>(a), bytes);
  note_range(a, bytes, true, WORKBOOK_PC);
}
void __tsan_vptr_update(void** a, void*) {
  const auto at = reinterpret_cast<std::uintptr_t>(a);
  const bool in_kernel = this_worker != nullptr && this_worker->current != nullptr;
  if (in_kernel)
    HostObjects::get().made_on_device(at, WORKBOOK_PC);
  else
    HostObjects::get().made(at, WORKBOOK_PC);
  note_access<runs::Access::write>(a, sizeof *a, WORKBOOK_PC);
}
void __tsan_vptr_read(void** a) { note_access<runs::Access::read>(a, sizeof *a, WORKBOOK_PC); }
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

/// A function has come to its end without the value that it should return.
void __ubsan_handle_missing_return(void*) {
  const Pc pc = WORKBOOK_PC;
  if (this_worker != nullptr && this_worker->current != nullptr)
    checker_of(*this_worker).end_without_return(pc);
  Diagnosis::get().findings.add(runs::FindingClass::uninit_local, pc, 0, [&](runs::Finding& f) {
    f.fatal = true;
    f.message =
        "the host comes to the end of a function that returns a value, and takes none of its returns.";
    f.advice = "Let every way through the function end with a return.";
  });
  std::fflush(nullptr);  // what the program has printed
  std::abort();
}

void __ubsan_handle_out_of_bounds(void* data, void* index) {
  if (this_worker == nullptr || this_worker->current == nullptr) return;
  struct Location {
    const char* file;
    std::uint32_t line, column;
  };
  checker_of(*this_worker)
      .note_bad_index(static_cast<const Location*>(data)->column, reinterpret_cast<std::intptr_t>(index),
                      WORKBOOK_PC);
}

void workbook_sim_shifted_out(long long count, unsigned int bits, long long left) {
  if (this_worker == nullptr || this_worker->current == nullptr || !this_worker->events) return;
  report_shift(checker_of(*this_worker).scene, count, bits, left, WORKBOOK_PC);
}

void workbook_sim_output_read(unsigned int operand) {
  if (this_worker == nullptr || this_worker->current == nullptr || !this_worker->events) return;
  report_output_read(checker_of(*this_worker).scene, operand, WORKBOOK_PC);
}

void workbook_sim_fence(int reach) { fence(reach, true, true); }
void workbook_sim_fence_of(int reach, bool acquires, bool releases) { fence(reach, acquires, releases); }

void workbook_sim_release(const void* object) {
  Worker& worker = running_worker("a release");
  std::atomic_thread_fence(std::memory_order_release);
  if (!worker.events) return;
  worker.loops->changed();  // the object's state, which is not traced
  const EngineScope scope;
  const Ordering::Releasing releasing(ordering_of(worker), true, true);
  publish(worker, reinterpret_cast<std::uintptr_t>(object));
}

void workbook_sim_acquire(const void* object) {
  Worker& worker = running_worker("an acquire");
  std::atomic_thread_fence(std::memory_order_acquire);
  if (!worker.events) return;
  const auto at = reinterpret_cast<std::uintptr_t>(object);
  const EngineScope scope;
  ordering_of(worker).acquire(at, in_own_shared(at), false, false);
}

void workbook_sim_touch(const void* address, std::size_t bytes, bool writes) {
  if (!diagnosing) return;
  note_range(address, bytes, writes, WORKBOOK_PC);
  if (this_worker != nullptr && this_worker->current != nullptr) checker_of(*this_worker).settle_stores();
}

void workbook_sim_before_atomic(void* address, std::size_t bytes, unsigned int how) {
  Worker& worker = calling_worker("an atomic");
  const bool narrow = (how & kBlockScope) != 0, releases = (how & kReleases) != 0;
  if (releases) {
    if (!narrow) running_worker("an atomic").let_others_begin();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    ++worker.fences;
  }
  if (!worker.events) return;
  if ((how & kCompares) != 0) {
    note_idiom(checker_of(worker).scene, Idiom::compares, WORKBOOK_PC);
    worker.let_others_compare();
  }
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const Ordering::Releasing releasing(ordering_of(worker), !narrow, releases);
  SimThread& t = *worker.current;
  t.narrow = narrow;
  t.loads = (how & kLoads) != 0;
  t.replaces = (how & kReplaces) != 0;
  checker_of(worker).access<runs::Access::atomic>(at, static_cast<std::uint32_t>(bytes), WORKBOOK_PC);
  t.narrow = t.loads = t.replaces = false;
  if (std::exchange(worker.rechecks, false)) worker.let_others_pass();
  if ((how & kBelowZero) != 0 && load_relaxed<int>(address) < 0)
    note_idiom(checker_of(worker).scene, Idiom::orders_below_zero, WORKBOOK_PC);
  if ((how & kLoads) == 0 && ordering_of(worker).has_fenced())
    publish(worker, at, narrow, static_cast<std::uint32_t>(bytes));
}

void workbook_sim_after_atomic(void* address, unsigned int how) {
  Worker& worker = *this_worker;
  if (worker.events && (how & kStores) == 0) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const bool narrow = (how & kBlockScope) != 0, loads = (how & kLoads) != 0;
    const EngineScope scope;
    if ((how & kAcquires) != 0)
      ordering_of(worker).acquire(at, in_own_shared(at), narrow, loads);
    else
      ordering_of(worker).observe(at, in_own_shared(at), narrow, loads);
  }
  // A thread that spins on an atomic waits for another one: let the others run now and then.
  static thread_local std::uint32_t atomics = 0;
  if (++atomics % 256 == 0) running_worker("an atomic").yield();
}

}  // extern "C"

namespace workbook::sim {

void note_range(const void* a, std::size_t bytes, bool writes, Pc pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(a);
  Worker* const worker = this_worker;
  if (bytes == 0) return;
  if (worker != nullptr && worker->current != nullptr)
    return checker_of(*worker).access_range(at, bytes, writes, pc);
  order_host(at, bytes, writes ? runs::Access::write : runs::Access::read, false, pc);
}

namespace {

/// Host code names a variable of the device. One that still has the value that the device's has is read
/// without harm.
void note_host_copy(const HostCopy& copy, std::uintptr_t address, runs::Access kind, Pc pc) {
  const bool reads = kind == runs::Access::read;
  const bool same = reads && std::memcmp(reinterpret_cast<const void*>(copy.copy),
                                         reinterpret_cast<const void*>(copy.variable), copy.bytes) == 0;
  Diagnosis::get().findings.add(runs::FindingClass::host_deref, pc, 0, [&](runs::Finding& f) {
    if (same) f.severity = runs::Severity::warning;
    const std::string kind_of = copy.is_constant() ? "__constant__" : "__device__";
    f.object = describe(copy, address);
    f.message = std::string("the host ") + (reads ? "reads " : "writes ") + f.object + ", a " + kind_of +
                " variable: under its name host code has a copy of its own, which " +
                (reads ? "kernels and cudaMemcpyToSymbol() do not change." : "no kernel sees.");
    f.advice = reads ? "Ask for its value with cudaMemcpyFromSymbol()."
                     : "Give it a value with cudaMemcpyToSymbol(), or in a kernel.";
  });
}

}  // namespace

bool note_host_access(std::uintptr_t address, runs::Access kind, Pc pc) {
  if (FindingLog::is_entered()) return false;
  if (const HostCopy* const copy = find_host_copy(address)) {
    note_host_copy(*copy, address, kind, pc);
    return false;
  }
  const std::uint64_t offset = address - Arena::base();
  Allocation of_heap;
  const DeviceHeap::Chunk* const chunk = DeviceHeap::get().find(offset);
  if (chunk != nullptr) of_heap = DeviceHeap::described(*chunk);
  const Allocation* a = chunk != nullptr       ? &of_heap
                        : offset < kArenaBytes ? Arena::get().find(offset)
                                               : nullptr;
  if (a != nullptr && a->on_host()) return true;
  Diagnosis::get().findings.add(runs::FindingClass::host_deref, pc, 0, [&](runs::Finding& f) {
    const bool reads = kind == runs::Access::read;
    f.object = a == nullptr ? "memory" : describe_element(*a, offset);
    f.message = std::string("the host ") + (reads ? "reads" : "writes") + " " + f.object +
                (a == nullptr ? " that is not allocated" : ", which is device memory") +
                ": on a GPU the program ends here with a segmentation fault.";
    if (a == nullptr) {
      f.advice =
          "Does the index go beyond the end of an array? cudaMallocHost() and cudaMalloc() are told bytes, not "
          "elements.";
      return;
    }
    f.advice = source_line(pc).file.find("/thrust/") != std::string::npos
                   ? "Thrust takes a plain pointer for one of the host's: give it thrust::device before the "
                     "other arguments, or wrap the pointer, thrust::device_pointer_cast(p)."
               : chunk != nullptr
                   ? "The heap of kernels is theirs alone: let one copy it to memory from cudaMalloc first."
               : reads ? "Copy it to the host first: cudaMemcpy(..., cudaMemcpyDeviceToHost)."
                       : "Fill a host array and copy it: cudaMemcpy(..., cudaMemcpyHostToDevice).";
  });
  return false;
}

}  // namespace workbook::sim
