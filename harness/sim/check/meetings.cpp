// Findings about barriers and warps: threads that wait for others that do not come, and masks that do not
// name what takes part.
#include "scene.h"

#include <cstdio>
#include <map>
#include <mutex>
#include <utility>

#include "checker.h"
#include "diagnosis.h"
#include "sim/source/source_blocks.h"
#include "sim/source/source_text.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

/// Whether two barriers are one in the source: the compiler may copy a call into both arms of a branch.
bool same_line(Pc a, Pc b) {
  static std::mutex mutex;
  static auto& known = *new std::map<std::pair<Pc, Pc>, bool>;
  const std::lock_guard lock(mutex);
  const auto [place, fresh] = known.try_emplace({a, b}, false);
  if (fresh) {
    const runs::SourceLine x = source_line(a), y = source_line(b);
    place->second = x.line == y.line && x.file == y.file;
  }
  return place->second;
}

/// `what` is done to the finding where it is a new one. `other`: where those wait that are missing; 0:
/// nowhere.
template <class What>
void add_mask_finding(const Scene& scene, const SimThread& t, What what, Pc other = 0) {
  if (scene.block_damaged) return;
  Diagnosis::get().findings.add(runs::FindingClass::bad_warp_mask, t.wait_pc, other, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(t);
    what(f);
    f.message = scene.name(*f.who) + " " + f.message + ".";
  });
}

/// The first of these lanes of `t`'s warp that waits at another line; null where none does.
const SimThread* waits_elsewhere(const Scene& scene, const SimThread& t, std::uint32_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t linear =
        t.linear - t.linear % kWarpSize + static_cast<std::uint32_t>(__builtin_ctz(lanes));
    if (linear >= scene.worker.launch->block_threads) return nullptr;
    const SimThread& other = scene.worker.thread(linear);
    const bool waits = other.status == Status::at_warp || other.status == Status::at_barrier;
    if (waits && !same_line(other.wait_pc, t.wait_pc)) return &other;
  }
  return nullptr;
}

}  // namespace

void Checker::see_bad_mask(const SimThread& t, const char* what) {
  const EngineScope scope;
  add_mask_finding(scene, t, [&](runs::Finding& f) {
    f.message = what;
    f.advice = "The mask must name every lane that calls, the caller first of all.";
  });
}

void Checker::see_stuck_warp(std::uint32_t warp, std::uint32_t lanes, std::uint32_t mask) {
  const EngineScope scope;
  const SimThread& first =
      scene.worker.thread(warp * kWarpSize + static_cast<std::uint32_t>(__builtin_ctz(lanes)));
  std::uint32_t here = 0;  // others of the mask may wait at another operation
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    if (same_line(scene.worker.thread(warp * kWarpSize + lane).wait_pc, first.wait_pc)) here |= 1u << lane;
  }
  char text[160];
  std::snprintf(text, sizeof text,
                "waits here for the lanes of mask 0x%08x, but of these only 0x%08x ever come", mask, here);
  const SimThread* const elsewhere = waits_elsewhere(scene, first, mask & ~here);
  add_mask_finding(
      scene, first,
      [&](runs::Finding& f) {
        f.message = text;
        f.advice =
            "Name in the mask just the lanes that take this branch, or let all lanes of the warp take it.";
        if (elsewhere == nullptr) return;
        f.other_who = scene.id_of(*elsewhere);
        f.message += ": " + scene.name(*f.other_who) + " waits at another line";
        f.advice =
            "Lanes of one warp wait for each other at two lines: before these they have gone different ways. Take a "
            "call that all of them are to make out of its branch, or name in its mask just the lanes that take it.";
      },
      elsewhere == nullptr ? 0 : elsewhere->wait_pc);
}

void Checker::see_missing_source(const SimThread& t, int source) {
  const EngineScope scope;
  if (source == kPastWidth) {
    if (accumulates_shuffle(t.wait_pc))
      add_mask_finding(scene, t, [&](runs::Finding& f) {
        const std::string width = std::to_string(t.width);
        f.message =
            "shuffles by " + std::to_string(t.argument) + " within a width of " + width +
            ": no lane has another one so far off, each gets its own value, and it is added once more";
        f.advice =
            "Let the distance begin at half the width, " + std::to_string(t.width / 2) + ", and halve it.";
      });
    return;
  }
  if (source == kAbsentLanes)
    return see_absent_lanes(static_cast<std::uint32_t>(t.argument), true, t.wait_pc);
  if (source == kPastGroup) {
    add_mask_finding(scene, t, [&](runs::Finding& f) {
      f.message = "reads from rank " + std::to_string(t.argument) + " of a group that has " +
                  std::to_string(t.width) + (t.width == 1 ? " thread" : " threads") +
                  ": the value is undefined";
      f.advice =
          "shfl() of a group counts its threads from 0 to size() - 1, and these are no lanes of the warp: what its "
          "first thread has is at rank 0.";
    });
    return;
  }
  // By a distance past the mask's end: what comes may be dropped, unless the line adds it to something.
  const bool by_distance = t.op == WarpOp::shuffle_up || t.op == WarpOp::shuffle_down;
  if (by_distance && (t.mask >> source & 1u) == 0 && !accumulates_shuffle(t.wait_pc)) return;
  add_mask_finding(scene, t, [&](runs::Finding& f) {
    const std::uint32_t from = t.linear - t.linear % kWarpSize + static_cast<std::uint32_t>(source);
    const std::uint32_t threads = scene.worker.launch->block_threads;
    f.message = "reads lane " + std::to_string(source);
    f.advice = "A shuffle may read only lanes that take part: check the mask and the distance.";
    if ((t.mask >> source & 1u) == 0) {
      f.message += ", which is not in its mask";
    } else if (from >= threads) {
      f.message += ", which the mask names and the block does not have: it has " + std::to_string(threads) +
                   " threads";
      f.advice = "A shuffle may read only lanes that take part: check the mask, and the size of the block.";
    } else {
      f.message += ", which the mask names but which does not come to this shuffle";
      f.advice =
          "All lanes that the mask names must call it: let them, with a value that changes nothing where they "
          "have none, or name in the mask just those that do.";
      // Which way the lane went is not kept; what stands around the call is in the source.
      if (const auto branch = branch_around(t.wait_pc, calls_around(t.wait_pc)))
        f.message += " (the branch at line " + std::to_string(branch->line) + ")";
    }
    f.message += ": the value is undefined";
  });
}

void Checker::see_absent_lanes(std::uint32_t lanes, bool works, Pc pc) {
  if (scene.block_damaged) return;
  const EngineScope scope;
  findings().add(runs::FindingClass::bad_warp_mask, pc, 0, [&](runs::Finding& f) {
    const SimThread& t = *scene.worker.running;
    const auto first = static_cast<std::uint32_t>(__builtin_ctz(lanes));
    if (works) f.severity = runs::Severity::warning;
    f.kernel = scene.kernel();
    f.who = scene.id_of(t);
    f.other_who = scene.id_of(scene.worker.thread(t.linear - t.linear % kWarpSize + first));
    const bool by_mask = is_reduction(t.op);
    f.message = scene.name(*f.who) +
                (by_mask ? " reduces with a mask that names other lanes, and "
                         : " reduces or scans with its group, and ") +
                scene.name(*f.other_who);
    if (const int more = __builtin_popcount(lanes) - 1; more > 0)
      f.message += ", like " + std::to_string(more) + " more of it,";
    f.message += " never comes here";
    if (const auto branch = branch_around(pc, calls_around(pc)))
      f.message += " (the branch at line " + std::to_string(branch->line) + ")";
    f.message +=
        works
            ? ": from compute capability 8.0 on the result is that of the others, before nothing defines it."
            : ": the result is undefined.";
    f.advice =
        by_mask
            ? "Name in the mask just the lanes that come here, by __ballot_sync() of the branch's own condition, or let "
              "all that it names come, with what changes nothing, 0 to a sum. Who does not come does nothing for the "
              "others either, as their first lane may be to."
            : "All threads of a group have to call what is done together: let those without an element bring one that "
              "changes nothing, 0 to a sum.";
  });
}

void Checker::see_uneven_cluster(const SimThread& t, const SimThread& other) {
  const EngineScope scope;
  findings().add(runs::FindingClass::divergent_barrier, t.wait_pc, other.wait_pc, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(t);
    f.other_who = scene.id_of(other);
    f.message = scene.name(*f.who) + " waits for the other blocks of its cluster while " +
                scene.name(*f.other_who) + " waits at __syncthreads(): neither comes to the other's barrier.";
    f.advice =
        "cluster.sync() is for all threads of all blocks of the cluster, as __syncthreads() is for all of a block: take "
        "it out of the branch.";
  });
  scene.block_damaged = true;
}

void Checker::see_warp_part(std::uint32_t came, Pc pc) {
  if (scene.block_damaged) return;
  const EngineScope scope;
  findings().add(runs::FindingClass::bad_warp_mask, pc, 0, [&](runs::Finding& f) {
    const SimThread& t = *scene.worker.running;
    const std::uint32_t first = t.linear - t.linear % kWarpSize, threads = scene.worker.launch->block_threads;
    const auto lanes = static_cast<std::uint32_t>(__builtin_popcount(came));
    f.kernel = scene.kernel();
    f.who = scene.id_of(t);
    f.message = scene.name(*f.who) + " works with tensor cores, which takes a whole warp: of its 32 lanes ";
    if (first + kWarpSize > threads && lanes == threads - first) {
      f.message +=
          "the block has " + std::to_string(lanes) + ", with its " + std::to_string(threads) + " threads";
      f.advice = "Launch blocks of a multiple of 32 threads.";
    } else {
      f.message += std::to_string(lanes) + (lanes == 1 ? " has" : " have") + " come here";
      if (const auto branch = branch_around(pc, calls_around(pc)))
        f.message += " (the branch at line " + std::to_string(branch->line) + ")";
      f.advice =
          "Let warps take branches as a whole: by the number of the warp, threadIdx.x / 32, and let no thread of it "
          "return before.";
    }
    f.message += ", and nothing defines the result.";
  });
}

void Checker::see_group_part(const SimThread& t, std::uint32_t came) {
  if (scene.block_damaged) return;
  const EngineScope scope;
  findings().add(runs::FindingClass::bad_warp_mask, t.wait_pc, 0, [&](runs::Finding& f) {
    const std::uint32_t threads = scene.worker.launch->block_threads;
    const int warps = __builtin_popcount(came);
    f.kernel = scene.kernel();
    f.who = scene.id_of(t);
    f.message = scene.name(*f.who) +
                " multiplies as part of a warp group (wgmma), which takes four warps, the first of them a "
                "multiple of four: ";
    if (t.linear / kWarpSize / kGroupWarps * kGroupWarps * kWarpSize + kGroupWarps * kWarpSize > threads) {
      f.message += "the block ends before, with its " + std::to_string(threads) + " threads";
      f.advice = "Launch blocks of a multiple of 128 threads.";
    } else {
      f.message += std::to_string(warps) + (warps == 1 ? " has" : " have") + " come here";
      if (const auto branch = branch_around(t.wait_pc, calls_around(t.wait_pc)))
        f.message += " (the branch at line " + std::to_string(branch->line) + ")";
      f.advice = "Let warp groups take branches as a whole: by threadIdx.x / 128.";
    }
    f.message += ", and nothing defines the result.";
  });
}

void Checker::see_active_mask(Pc pc) {
  if (scene.block_damaged) return;
  Diagnosis::get().findings.add(runs::FindingClass::bad_warp_mask, pc, 0, [&](runs::Finding& f) {
    f.severity = runs::Severity::warning;
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.message = "__activemask() says which lanes happen to run together, not which ones take this branch.";
    f.advice =
        "Compute the mask before the branch with __ballot_sync(), or use "
        "cooperative_groups::coalesced_threads() and "
        "work with whatever group it gives.";
  });
}

void Checker::see_short_grid(const SimThread& t, unsigned int blocks) {
  Diagnosis::get().findings.add(runs::FindingClass::divergent_barrier, t.wait_pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(t);
    f.message = scene.name(*f.who) + " waits at a barrier of the whole grid, which " +
                std::to_string(blocks) + (blocks == 1 ? " block has" : " blocks have") +
                " ended without: on a GPU it waits for ever.";
    f.advice =
        "All blocks of the grid have to come to grid.sync(): let none return before, and guard the work "
        "between the barriers.";
  });
}

void Checker::end_without_return(Pc pc) {
  {
    const EngineScope scope_of_engine;
    Diagnosis::get().crashed = true;
    findings().add(runs::FindingClass::uninit_local, pc, 0, [&](runs::Finding& f) {
      f.kernel = scene.kernel();
      f.who = scene.id_of(*scene.worker.running);
      f.fatal = true;
      f.message =
          scene.name(*f.who) +
          " comes to the end of a function that returns a value, and takes none of its returns: what the "
          "caller gets, nothing defines.";
      f.advice =
          "Let every way through the function end with a return: what of the case that none of its conditions names?";
    });
  }
  scene.kill();
}

void Checker::see_refused(const char* what, Pc pc) {
  const EngineScope scope_of_engine;
  const std::string_view text = what;
  const auto klass = text.ends_with("__trap()") ? runs::FindingClass::asserted
                     : text.starts_with("grid_group") || text.starts_with("map_shared_rank")
                         ? runs::FindingClass::bad_launch
                         : runs::FindingClass::bad_api_call;
  Diagnosis::get().crashed = true;
  Diagnosis::get().findings.add(klass, pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.fatal = true;
    f.message = scene.name(*f.who) + ": " + what + ".";
    f.advice = klass == runs::FindingClass::asserted
                   ? "It ends the kernel, and every later call returns cudaErrorLaunchFailure."
                   : "The kernel is ended here: what a GPU does then, nothing defines.";
  });
}

void Checker::pass_barrier() {
  const EngineScope scope;
  checks.pass_barrier(scene);
  if (scene.attention) attend(0);
  if (!scene.modes.check) return;
  scene.ordering.barrier();
  report_uneven_barrier();
}

/// Threads that wait at another barrier than the first, or have ended before they came to any.
void Checker::report_uneven_barrier() {
  if (scene.worker.all_at_one_barrier()) return;
  const SimThread* first = nullptr;
  struct Gone {
    const SimThread* first;
    std::uint32_t count;
  };
  std::map<Pc, Gone> gone;  // by the last access
  for (std::uint32_t i = 0; i < scene.worker.launch->block_threads; ++i) {
    const SimThread& t = scene.worker.thread(i);
    if (t.status == Status::exited && !t.killed)
      ++gone.try_emplace(t.last_pc, Gone{&t, 0}).first->second.count;
    if (t.status != Status::at_barrier) continue;
    if (first == nullptr) first = &t;
    if (t.wait_pc == first->wait_pc || same_line(t.wait_pc, first->wait_pc)) continue;
    Diagnosis::get().findings.add(
        runs::FindingClass::divergent_barrier, first->wait_pc, t.wait_pc, [&](runs::Finding& f) {
          f.kernel = scene.kernel();
          f.who = scene.id_of(*first);
          f.other_who = scene.id_of(t);
          f.message = scene.name(*f.who) + " waits at this barrier while " + scene.name(*f.other_who) +
                      " waits at another one.";
          f.advice =
              "All threads of a block must reach the same __syncthreads(): move it out of the branches.";
        });
  }
  if (first == nullptr) return;
  const auto named = [&](const SimThread& t) {
    return NamedThread{scene.id_of(t), scene.name(scene.id_of(t))};
  };
  for (const auto& [last_access, threads] : gone)
    Diagnosis::get().findings.add_passed_barrier(
        {scene.kernel(), first->wait_pc, named(*first), named(*threads.first), last_access, threads.count});
}

}  // namespace workbook::sim
