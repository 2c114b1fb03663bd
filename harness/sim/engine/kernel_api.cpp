// What kernels ask of the engine: barriers, warp operations, and to let others run.
#include <cstdio>
#include <cstdlib>

#include "arena.h"
#include "engine.h"
#include "launch.h"
#include "loop_watch.h"
#include "sim/source/symbols.h"

using namespace workbook;
using namespace workbook::sim;

namespace {

/// The running thread shuffles from what its group does not reach; `kind` as SimThread::missing_source has
/// it.
void see_shuffle_past(unsigned int argument, unsigned int width, std::int8_t kind, Pc pc) {
  Worker& worker = running_worker("a shuffle");
  if (!worker.events) return;
  SimThread& t = *worker.current;
  t.wait_pc = pc;
  t.argument = static_cast<int>(argument);
  t.width = static_cast<int>(width);
  worker.events->see_missing_source(t, kind);
}

// Addresses in shared memory count from a multiple of what swizzled tiles are aligned to. Those of other
// blocks of the cluster have the rank, and 1, above.
constexpr std::size_t kOfOneBlock = std::size_t{1} << 24, kMostBlocks = 16;
std::uintptr_t shared_window() { return thread_local_base() & ~std::uintptr_t{kSharedAlignment - 1}; }

}  // namespace

extern "C" {

int workbook_sim_syncthreads_reduce(int kind, int predicate) {
  Worker& worker = running_worker("__syncthreads_count()");
  worker.barrier(WORKBOOK_PC, predicate);
  const std::int64_t packed = worker.barrier_result();
  const auto yes = static_cast<int>(packed & 0xffffffff);
  const auto came = static_cast<int>(packed >> 32);
  return kind == 0 ? yes : kind == 1 ? yes == came : yes != 0;
}

std::uint64_t workbook_sim_warp(WarpOp op, std::uint32_t mask, std::uint64_t value, int argument, int width) {
  return running_worker("a warp operation").warp_operation(op, mask, value, argument, width, WORKBOOK_PC);
}

void** workbook_sim_tile_slots() { return running_worker("a tile").tile_slots; }

void workbook_sim_absent_lanes(std::uint32_t lanes, bool works) {
  if (Worker& worker = running_worker("a group"); worker.events)
    worker.events->see_absent_lanes(lanes, works, WORKBOOK_PC);
}

void workbook_sim_warp_storage(const void* storage, unsigned int width) {
  if (Worker& worker = running_worker("temporary storage"); worker.events)
    worker.events->use_warp_storage(reinterpret_cast<std::uintptr_t>(storage), width, WORKBOOK_PC);
}

void workbook_sim_warp_part(std::uint32_t came) {
  if (Worker& worker = running_worker("tensor cores"); worker.events)
    worker.events->see_warp_part(came, WORKBOOK_PC);
}

void workbook_sim_shuffle_past(unsigned int distance, unsigned int width) {
  see_shuffle_past(distance, width, kPastWidth, WORKBOOK_PC);
}

void workbook_sim_rank_past(unsigned int rank, unsigned int size) {
  see_shuffle_past(rank, size, kPastGroup, WORKBOOK_PC);
}

std::uint32_t workbook_sim_activemask() {
  Worker& worker = running_worker("__activemask()");
  {
    const EngineScope scope;
    if (worker.events) worker.events->see_active_mask(WORKBOOK_PC);
  }
  return worker.converged_lanes(WORKBOOK_PC);
}

std::uint32_t workbook_sim_converged_lanes() {
  return running_worker("coalesced_threads()").converged_lanes(WORKBOOK_PC);
}

void workbook_sim_warp_collective(std::uint32_t mask, void* mine,
                                  void (*combine)(void* const*, std::uint32_t)) {
  running_worker("a warp operation").warp_collective(mask, mine, combine, WORKBOOK_PC);
}

void workbook_sim_warp_exchange(std::uint32_t mask, void* mine,
                                void (*combine)(void* const*, std::uint32_t)) {
  running_worker("a warp operation").warp_exchange(mask, mine, combine, WORKBOOK_PC);
}

bool workbook_sim_on_device() { return this_worker != nullptr && this_worker->current != nullptr; }

std::size_t workbook_sim_shared_offset(const void* address) {
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - shared_window();
  if (Worker* const worker = this_worker; worker != nullptr && offset < worker->lowest_shared)
    worker->lowest_shared = static_cast<std::uint32_t>(offset);
  return offset;
}

const void* workbook_sim_shared_address(std::size_t offset) {
  const std::size_t rank = offset / kOfOneBlock;
  if (rank == 0 || rank > kMostBlocks) return reinterpret_cast<const void*>(shared_window() + offset);
  return workbook_sim_map_shared_rank(reinterpret_cast<const void*>(shared_window() + offset % kOfOneBlock),
                                      static_cast<unsigned int>(rank - 1));
}

std::size_t workbook_sim_shared_of_rank(std::size_t offset, unsigned int rank) {
  return offset % kOfOneBlock + (rank + std::size_t{1}) * kOfOneBlock;
}

void workbook_sim_tensor_flops(double flops) {
  if (this_worker != nullptr) this_worker->tensor_flops += flops;
}

void workbook_sim_mma(double flops) {
  // What one wmma::mma_sync() of 16 x 16 x 16 halfs does, which is one warp operation.
  constexpr double kFlopsOfWmma = 2.0 * 16 * 16 * 16;
  workbook_sim_tensor_flops(flops);
  if (this_worker != nullptr) this_worker->mma_operations += flops / kFlopsOfWmma;
}

void workbook_sim_telling(const void* object) {
  Worker& worker = running_worker("an atomic store");
  if (Arena::contains(reinterpret_cast<std::uintptr_t>(object))) worker.let_others_begin();
}

void workbook_sim_yield() { running_worker("a wait").yield(); }
void workbook_sim_nanosleep(unsigned int) { running_worker("__nanosleep()").yield(); }

void workbook_sim_trap() { running_worker("__trap()").refuse("the kernel executed __trap()", WORKBOOK_PC); }

long long workbook_sim_clock() {
  if (Worker& worker = running_worker("clock()"); worker.loops) worker.loops->changed();
  // Counts something that grows with the work done; it is no clock cycle.
  static thread_local long long ticks = 0;
  return ++ticks;
}

/// Each look at it takes as long as a GPU's timer has for its unit.
unsigned long long workbook_sim_global_timer() {
  constexpr unsigned long long kUnitNs = 32;
  return static_cast<unsigned long long>(workbook_sim_clock()) * kUnitNs;
}

}  // extern "C"

namespace workbook::sim {

void Worker::refuse(const char* what, Pc pc) {
  {
    const EngineScope scope;
    if (events)
      events->see_refused(what, pc);
    else
      std::fprintf(stderr, "%s: %s\n", launch->kernel->name, what);
    abort_launch(cudaErrorLaunchFailure);
  }
  kill_block();
}

Worker& running_worker(const char* what) {
  Worker& worker = calling_worker(what);
  if (worker.knows_place_only()) worker.settle();
  return worker;
}

Worker& calling_worker(const char* what) {
  if (this_worker == nullptr || this_worker->current == nullptr) {
    std::fprintf(stderr, "%s was called on the host; it exists in kernels only\n", what);
    std::abort();
  }
  return *this_worker;
}

}  // namespace workbook::sim
