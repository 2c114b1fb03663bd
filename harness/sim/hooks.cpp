// The symbols that the compiler's thread sanitizer instrumentation and the simulator's headers call. Linking
// without the sanitizer's own run-time library makes them ours: each runs before the access it announces.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "hooks.h"
#include "observer.h"
#include "symbols.h"

using namespace workbook;
using namespace workbook::sim;

namespace {

Worker& running(const char* what) {
  if (this_worker == nullptr || this_worker->current == nullptr) {
    std::fprintf(stderr, "%s was called on the host; it exists in kernels only\n", what);
    std::abort();
  }
  return *this_worker;
}

bool diagnosing = false;

/// A struct that moves whole: in the widest accesses, up to 16 bytes, that its size and place allow.
void note_range(void* start, std::size_t bytes, runs::Access kind, Pc pc) {
  const std::size_t bits = reinterpret_cast<std::uintptr_t>(start) | bytes | 16;
  const std::size_t unit = bits & (~bits + 1);
  for (std::size_t i = 0; i < bytes; i += unit)
    note_access(static_cast<char*>(start) + i, static_cast<std::uint32_t>(unit), kind, pc);
}

}  // namespace

#define WORKBOOK_HOOKS(BYTES)                                                                              \
  void __tsan_read##BYTES(void* a) { note_access(a, BYTES, runs::Access::read, WORKBOOK_PC); }             \
  void __tsan_write##BYTES(void* a) { note_access(a, BYTES, runs::Access::write, WORKBOOK_PC); }           \
  void __tsan_unaligned_read##BYTES(void* a) { note_access(a, BYTES, runs::Access::read, WORKBOOK_PC); }   \
  void __tsan_unaligned_write##BYTES(void* a) { note_access(a, BYTES, runs::Access::write, WORKBOOK_PC); } \
  void __tsan_volatile_read##BYTES(void* a) { note_access(a, BYTES, runs::Access::read, WORKBOOK_PC); }    \
  void __tsan_volatile_write##BYTES(void* a) { note_access(a, BYTES, runs::Access::write, WORKBOOK_PC); }  \
  void __tsan_read_write##BYTES(void* a) {                                                                 \
    note_access(a, BYTES, runs::Access::read, WORKBOOK_PC);                                                \
    note_access(a, BYTES, runs::Access::write, WORKBOOK_PC);                                               \
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

void __tsan_read_range(void* a, std::size_t bytes) { note_range(a, bytes, runs::Access::read, WORKBOOK_PC); }
void __tsan_write_range(void* a, std::size_t bytes) {
  note_range(a, bytes, runs::Access::write, WORKBOOK_PC);
}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

void __ubsan_handle_out_of_bounds(void* data, void* index) {
  if (this_worker == nullptr || this_worker->current == nullptr) return;
  const Pc pc = WORKBOOK_PC;
  EngineScope scope;
  struct Location {
    const char* file;
    std::uint32_t line, column;
  };
  const auto& at = *static_cast<Location*>(data);
  Diagnosis::get().findings.add("oob_shared", pc, 0, [&](runs::Finding& f) {
    f.message = "index " + std::to_string(reinterpret_cast<std::intptr_t>(index)) +
                " lies outside this dimension of the array (column " + std::to_string(at.column) + ").";
    f.advice = "Check the index against the array's declaration: each dimension has its own size.";
  });
}

void workbook_sim_syncthreads() { running("__syncthreads()").barrier(WORKBOOK_PC, 0); }

int workbook_sim_syncthreads_reduce(int kind, int predicate) {
  const std::int64_t packed = running("__syncthreads_count()").barrier(WORKBOOK_PC, predicate);
  const auto yes = static_cast<int>(packed & 0xffffffff);
  const auto came = static_cast<int>(packed >> 32);
  return kind == 0 ? yes : kind == 1 ? yes == came : yes != 0;
}

std::uint64_t workbook_sim_warp(WarpOp op, std::uint32_t mask, std::uint64_t value, int argument, int width) {
  return running("a warp operation").warp_operation(op, mask, value, argument, width, WORKBOOK_PC);
}

std::uint32_t workbook_sim_activemask() { return running("__activemask()").alive_lanes(); }

void workbook_sim_fence(int) {
  if (diagnosing) Diagnosis::get().fence();
}

void workbook_sim_nanosleep(unsigned int) { running("__nanosleep()").yield(); }

void workbook_sim_trap() {
  std::fprintf(stderr, "the kernel executed __trap()\n");
  std::abort();
}

long long workbook_sim_clock() {
  // Counts something that grows with the work done; it is no clock cycle.
  static thread_local long long ticks = 0;
  return ++ticks;
}

void workbook_sim_before_atomic(void* address, std::size_t bytes) {
  Worker& worker = running("an atomic");
  if (!diagnosing) return;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  Diagnosis::get().access(worker, at, static_cast<std::uint32_t>(bytes), runs::Access::atomic, WORKBOOK_PC);
  SimThread* const current = worker.current;
  worker.current = nullptr;
  Diagnosis::get().acquire(at);
  worker.current = current;
}

void workbook_sim_after_atomic(void* address) {
  Worker& worker = *this_worker;
  if (diagnosing) Diagnosis::get().release(worker, reinterpret_cast<std::uintptr_t>(address));
  // A thread that spins on an atomic waits for another one: let the others run now and then.
  static thread_local std::uint32_t atomics = 0;
  if (++atomics % 256 == 0) worker.yield();
}

}  // extern "C"

namespace workbook::sim {

void observe_block_begin(Worker& worker) {
  // Shared memory starts undefined in every block: NaN.
  const std::uintptr_t base = thread_local_base();
  for (const auto& v : shared_variables())
    std::memset(reinterpret_cast<void*>(base + v.offset), 0xff,
                v.dynamic ? worker.launch->dynamic_shared : v.bytes);
  if (diagnosing) Diagnosis::get().block_begin();
}
void observe_block_end(Worker&) {
  if (diagnosing) Diagnosis::get().block_end();
}
void observe_barrier(Worker& worker) {
  if (diagnosing) Diagnosis::get().barrier(worker);
}

}  // namespace workbook::sim
