// Races: two threads use one word, one of them writes it, and nothing orders the two. In shared memory and,
// across blocks, in device memory.
#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <vector>

#include "check.h"
#include "word_records.h"

namespace workbook::sim {

class Races : public Check {
 public:
  void begin_block(Scene& scene) {
    scene.ordering.block_begin();
    block_over_ = false;
  }
  void end_block(Scene& scene) {
    block_over_ = true;
    if (scene.in_cluster) report_late_users(scene);
  }
  bool attend(Scene& scene, std::uintptr_t) {
    if (!racing_stores_.empty() && !scene.in_range) report_racing_stores(scene);
    return !racing_stores_.empty();
  }
  template <class Kind>
  WORKBOOK_HOT bool see(Scene&, const Access&) {
    if constexpr (Kind::kSpace == Space::remote) told_before_ = told_;
    return true;
  }
  template <class Kind>
  WORKBOOK_HOT void judge(Scene& scene, const WordAccess& w);
  template <class Kind>
  WORKBOOK_HOT void note(Scene& scene, const WordAccess& w);
  template <class Kind>
  WORKBOOK_HOT void leave(Scene& scene, const Access& access) {
    if constexpr (Kind::kSpace == Space::remote) note_remote_use(scene, access);
  }

  /// Whether the running thread, at an atomic, comes after that one of its block.
  bool comes_after(Scene& scene, const BarrierStart& before) const {
    return before.thread == scene.worker.current->linear ||
           ordered(scene, true, before.thread, before.epoch, before.clock, false);
  }
  /// A thread arrives at a barrier of its block: that must have been initialised.
  void see_arrival(Scene& scene, std::uintptr_t barrier, const BarrierStart& start, Pc pc) {
    see_at_barrier(scene, barrier, start, runs::Access::atomic, pc);
  }
  /// Another initialises it, too: whatever has been done at it by then is lost.
  void see_second_start(Scene& scene, std::uintptr_t barrier, const BarrierStart& start, Pc pc) {
    see_at_barrier(scene, barrier, start, runs::Access::write, pc);
  }

  /// What was announced is made elsewhere, before or after: its values are not looked at.
  void settle_stores(Scene& scene) {
    if (!racing_stores_.empty()) report_racing_stores(scene, false);
  }

 private:
  struct Party {
    std::uint32_t who, pc;
    bool wrote;
    bool atomic = false;
    bool narrow = false;  ///< an atomic of its block's scope
    bool seen = false;    ///< who comes later has seen that this is done, and has not fenced since
    std::optional<std::uint32_t> beside = {};  ///< another reader, which races, too
    bool initialises = false;  ///< a barrier; who comes later arrives there, or writes: does so, too
  };
  /// A plain store over another thread's, in the same launch and not ordered after it. Whether it matters is
  /// known when it is done: many threads that store one value do no harm.
  struct RacingStore {
    Party before;
    std::uint32_t pc, thread;
    Target target;
    std::uintptr_t address;  ///< of the word
    std::uint32_t mask;      ///< its bytes that are stored
    std::uint32_t was;       ///< what the word held
  };
  /// The latest access of one other block of the cluster to this one's shared memory. That block's thread
  /// writes it; who reads it meanwhile is about to report just that.
  struct RemoteUse {
    std::atomic<std::uint32_t> serial{0};  ///< Worker::block_serial that it was of
    std::atomic<std::uint32_t> who, epoch, clock, pc, offset;
  };
  static constexpr std::size_t kMostOfCluster = 16;

  /// Whether who wrote the word is of this block and has not fenced since.
  static bool is_unfenced_of_this_block(const Scene& scene, const Cell& cell);
  /// `own`: `who` counts the threads of the running block, not of the grid.
  /// `seen`: what the thread has seen counts, too, as it does for accesses that signal.
  static bool is_known(const Scene& scene, bool own, std::uint32_t who, std::uint32_t epoch,
                       std::uint32_t clock, bool seen);
  void see_at_barrier(Scene& scene, std::uintptr_t barrier, const BarrierStart& start, runs::Access kind,
                      Pc pc) {
    if (comes_after(scene, start)) return;
    Party before{start.thread, start.pc, true};
    before.initialises = true;
    report(scene, before, kind, offset_in_program(pc), {barrier - scene.shared_low, Space::shared, &scene});
  }
  static bool ordered(Scene& scene, bool own, std::uint32_t who, std::uint32_t epoch, std::uint32_t clock,
                      bool seen);
  /// Whether two atomics of which one is `narrow` are of two blocks, and so are none for each other.
  static bool are_apart(const Scene& scene, bool own, std::uint32_t who, bool narrow) {
    return narrow && !own && who / scene.worker.launch->block_threads != scene.worker.block_linear();
  }

  void note_racing_store(Scene& scene, const Party& before, std::uint32_t pc, std::uint32_t mask,
                         const Target& target);
  void report_racing_stores(Scene& scene, bool made = true);
  void note_recheck(Scene& scene, std::uint32_t read);
  void note_remote_use(Scene& scene, Access access);

  // races_findings.cpp.
  void report(Scene& scene, const Party& before, runs::Access kind, std::uint32_t pc, const Target& target) {
    report(scene, before, kind, pc, target, *scene.worker.running, false);
  }
  /// `now`: the thread that came later. `same_value`: what it stored was there already.
  void report(Scene& scene, const Party& before, runs::Access kind, std::uint32_t pc, const Target& target,
              const SimThread& now, bool same_value);
  static void report_no_block(const Scene& owner, std::uint32_t who, std::uint32_t pc, std::uint64_t offset,
                              bool ended);
  /// Whoever used this block's shared memory and may still have been doing so when it ended.
  void report_late_users(const Scene& scene);

  std::vector<RacingStore> racing_stores_;
  std::uint64_t told_ = 0, told_before_ = 0;  ///< races; and before the access to another block's memory
  std::uint32_t rechecked_ = 0;               ///< pc of the read that was last told to the findings
  std::array<RemoteUse, kMostOfCluster> remote_uses_;  ///< by rank modulo that
  std::atomic<bool> block_over_{true};
};

template <class Kind>
WORKBOOK_HOT void Races::judge(Scene& scene, const WordAccess& w) {
  const Cell& c = w.cell;
  if (!w.written_now) [[likely]]
    return;
  const std::uint32_t writer = c.w_row == 0 ? c.w_who : writer_of(c, w.mask);
  if ((c.w_epoch == scene.worker.epoch || !Kind::kOwn) && writer != w.who && (c.w_mask & w.mask) != 0 &&
      !(Kind::kSignal && c.w_atomic &&
        !are_apart(scene, Kind::kOwn, writer, c.w_narrow || scene.worker.current->narrow)) &&
      !ordered(scene, Kind::kOwn, writer, c.w_epoch, c.w_clock, Kind::kSignal)) {
    const Party before{writer,
                       c.w_pc,
                       true,
                       c.w_atomic != 0,
                       c.w_atomic && c.w_narrow,
                       is_known(scene, Kind::kOwn, writer, c.w_epoch, c.w_clock, true)};
    const Target target{w.offset, Kind::kSpace, &w.owner};
    if (Kind::kKind == runs::Access::write && !Kind::kSignal && !before.atomic)
      note_racing_store(scene, before, w.pc, w.mask, target);
    else
      report(scene, before, Kind::kKind, w.pc, target);
  }
}

template <class Kind>
WORKBOOK_HOT void Races::note(Scene& scene, const WordAccess& w) {
  constexpr bool kOwn = Kind::kOwn, kSignal = Kind::kSignal;
  Cell& c = w.cell;
  const SimThread& now = *scene.worker.current;
  const std::uint32_t epoch = scene.worker.epoch;
  if (Kind::kKind == runs::Access::atomic && c.r_gen == w.gen && c.r_who == w.who && c.r_epoch == epoch &&
      !c.r_atomic && !now.replaces)
    note_recheck(scene, c.r_pc);
  if (Kind::kKind == runs::Access::read || (Kind::kKind == runs::Access::atomic && now.loads))
    return note_reader(c, {w.gen, w.who, epoch, now.clock, w.pc, w.mask, kSignal, now.narrow});
  if (c.r_gen == w.gen &&
      !(kSignal && c.r_atomic && !are_apart(scene, kOwn, c.r_who, c.r_narrow || now.narrow))) {
    const bool latest = (c.r_mask & w.mask) != 0 && c.r_who != w.who &&
                        !ordered(scene, kOwn, c.r_who, c.r_epoch, c.r_clock, kSignal);
    const bool before = c.others && (c.q_mask & w.mask) != 0 && c.q_who != w.who &&
                        !ordered(scene, kOwn, c.q_who, c.q_epoch, c.q_clock, kSignal);
    if (latest || before) [[unlikely]]
      report(scene,
             {latest ? c.r_who : c.q_who, latest ? c.r_pc : c.q_pc, false, false, c.r_atomic && c.r_narrow,
              false, before ? std::optional(c.q_who) : std::nullopt},
             Kind::kKind, w.pc, {w.offset, Kind::kSpace, &w.owner});
  }
  const bool same = w.written_now && c.w_who == w.who && c.w_epoch == epoch && c.w_clock == now.clock;
  // A plain write stays one, whatever atomics its own block makes of it, until the writer has fenced: other
  // blocks' atomics on the word race with it.
  if (!kOwn && kSignal && w.written_now && !c.w_atomic && !same && is_unfenced_of_this_block(scene, c))
    return;
  const RowStep row = kSignal || same
                          ? RowStep{}
                          : row_with(c, w.gen, w.who, now.linear % kWarpSize, epoch, now.clock, w.pc, w.mask);
  c.w_mask = (same || row.bytes != 0 ? c.w_mask | w.mask : w.mask) & 0xfu;
  if (!same) c.w_row = row.bytes & 3u;
  // A store that publishes belongs to what it publishes: who acquired that may write the flag plainly.
  const std::uint32_t clock = kSignal && now.fence_clock != 0 ? now.fence_clock : now.clock;
  if (!row.below) c.w_who = w.who;
  c.w_gen = w.gen, c.w_epoch = epoch, c.w_clock = clock;
  if (!(same && kSignal && !c.w_atomic)) c.w_pc = w.pc;
  c.w_atomic = kSignal && (!same || c.w_atomic);  // a plain write stays one until something orders it
  c.w_narrow = now.narrow;
}

}  // namespace workbook::sim
