// The words of races.
#include <algorithm>

#include "diagnosis.h"
#include "memory_findings.h"
#include "races.h"
#include "sim/source/source_blocks.h"
#include "sim/source/source_idioms.h"

namespace workbook::sim {
namespace {

/// Where the line lies between the atomics of a lock that orders nothing.
void advise_on_lock(runs::Finding& f, Pc pc) {
  const runs::SourceLine at = source_line(pc);
  const int lock = at.line <= 0 ? 0 : lock_without_order(code_of_file(at.file), at.line);
  if (lock == 0) return;
  f.advice =
      "The atomics of the lock, line " + std::to_string(lock) +
      " and where it is given back, let one thread in at a time and order nothing else: put __threadfence() behind "
      "taking it and another before giving it back, or take cuda::atomic with cuda::memory_order_acquire and "
      "cuda::memory_order_release.";
}

/// Where a store to device memory is followed by a fence that reaches its own block only.
void advise_on_fence(runs::Finding& f, Pc store) {
  const runs::SourceLine at = source_line(store);
  const int fence = at.line <= 0 ? 0 : block_fence_behind(code_of_file(at.file), at.line);
  if (fence == 0) return;
  f.advice = "__threadfence_block(), line " + std::to_string(fence) +
             ", orders for threads of its own block only: for other blocks take __threadfence().";
}

}  // namespace

void Races::report(Scene& scene, const Party& before, runs::Access kind, std::uint32_t pc,
                   const Target& target, const SimThread& now, bool same_value) {
  if (scene.block_damaged) return;
  ++told_;
  scene.unordered += !same_value;
  const EngineScope scope;
  const std::uint32_t first_of_space =
      target.space == Space::shared
          ? static_cast<std::uint32_t>(scene.worker.block_linear()) * scene.worker.launch->block_threads
          : 0;
  const std::uint32_t other = first_of_space + before.who;
  const Pc read = kind == runs::Access::read && before.atomic     ? pc_at(pc)
                  : kind == runs::Access::atomic && !before.wrote ? pc_at(before.pc)
                                                                  : 0;
  const std::uint32_t writer = scene.worker.gid(now);
  const auto reach_to = [&](std::uint32_t who) {
    if (who / scene.worker.launch->block_threads != scene.worker.block_linear())
      return target.space == Space::cluster ? runs::Reach::cluster : runs::Reach::grid;
    return who % scene.worker.launch->block_threads / kWarpSize == now.linear / kWarpSize
               ? runs::Reach::warp
               : runs::Reach::block;
  };
  const runs::Reach reach = reach_to(other);
  const std::uint64_t warp_element = same_value && reach == runs::Reach::warp
                                         ? target.offset << 24 | (writer - now.linear % kWarpSize + 1)
                                         : 0;
  const std::uint32_t lanes =
      1u << now.linear % kWarpSize | 1u << other % scene.worker.launch->block_threads % kWarpSize;
  const runs::Reach widest =
      before.beside ? std::max(reach, reach_to(first_of_space + *before.beside)) : reach;
  findings().add_race(
      is_shared_memory(target.space) ? runs::FindingClass::race_shared : runs::FindingClass::race_global,
      pc_at(pc), pc_at(before.pc), {read, same_value, warp_element, lanes, widest}, [&](runs::Finding& f) {
        f.kernel = scene.kernel();
        f.who = scene.id_of(now);
        f.other_who = scene.id_of(other);
        f.object = scene.name_of(target);
        f.message = scene.name(*f.who) + (kind == runs::Access::read ? " reads " : " writes ") + f.object +
                    ", which " + scene.name(*f.other_who) + (before.wrote ? " writes" : " reads") +
                    ", with nothing that orders the two.";
        if (before.initialises && kind == runs::Access::write) {
          f.message = scene.name(*f.other_who) + " and " + scene.name(*f.who) + " both initialise " +
                      f.object +
                      ", with nothing that orders the two: what has arrived there by then is forgotten.";
          f.advice =
              "Let one thread do it, if (threadIdx.x == 0) init(&barrier, count), and let all of them come to "
              "__syncthreads() behind it.";
        } else if (before.initialises) {
          f.message = scene.name(*f.who) + " arrives at " + f.object + ", which " + scene.name(*f.other_who) +
                      " initialises, with nothing that orders the two.";
        }
        if (f.object.find(")::") != std::string::npos)
          f.advice =
              "A static variable of a function is one for all threads of the grid, as a __device__ variable is. What "
              "each thread has of its own is a local variable, or lies in memory that it alone indexes.";
        else if (before.narrow || (kind == runs::Access::atomic && now.narrow))
          f.advice =
              "An atomic of block scope (atomicAdd_block() and its kin, cuda::thread_scope_block) is one step for "
              "threads of its own block only. For others take the one without _block, or "
              "cuda::thread_scope_device.";
        else if (before.seen)
          f.advice =
              "The thread has seen that the other is done, but nothing keeps what it reads and writes then behind "
              "that: put __threadfence() behind the atomic or the volatile load that tells it, before what it "
              "guards, or give that cuda::memory_order_acquire.";
        else if (!same_value && reach == runs::Reach::grid && !is_shared_memory(target.space)) {
          if (const std::uintptr_t flag = ReleaseBoard::get().unchanged(); flag != 0)
            f.advice =
                object_at(flag / 4, false) +
                " held the value that it is waited for before this launch stored it, so that nobody waits. "
                "Reset such flags before each launch, by cudaMemset() or another kernel.";
          advise_on_lock(f, pc_at(pc));
          advise_on_fence(f, pc_at(before.wrote ? before.pc : pc));
        }
        if (same_value) {
          f.severity = runs::Severity::advice;
          f.message = scene.name(*f.other_who) + " and " + scene.name(*f.who) +
                      " both store the same value in " + f.object + ", with nothing that orders the two.";
          f.advice =
              "The value is right as long as all store the same. Let one thread store it: what the others store is for "
              "nothing.";
        }
      });
}

void Races::report_no_block(const Scene& owner, std::uint32_t who, std::uint32_t pc, std::uint64_t offset,
                            bool ended) {
  if (ended && Diagnosis::get().crashed) return;  // it did not end by itself
  findings().add(runs::FindingClass::race_shared, pc_at(pc), 0, [&](runs::Finding& f) {
    f.kernel = owner.kernel();
    f.who = owner.id_of(who);
    f.object = owner.shared_element(owner.shared_low + offset);
    f.message = owner.name(*f.who) + " uses " + f.object + " of another block of its cluster, which may " +
                (ended ? "have ended by then: its shared memory ends with it."
                       : "not have begun, or may have ended: it came to no cluster barrier before.");
    f.advice =
        ended ? "Call cluster.sync() behind the last use of another block's shared memory, in all of them."
              : "Call cluster.sync() before the first use of another block's shared memory, in all of them.";
  });
}

}  // namespace workbook::sim
