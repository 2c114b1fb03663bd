// The cuda::barriers in a block's shared memory: who arrives at each, who waits, and for which of its phases.
// Where threads wait for ever, or data is used too early, that tells which of the usual mistakes was made: a
// count that does not fit who arrives, a phase waited for twice, a thread that has ended and is still
// counted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "check.h"

namespace workbook::sim {

class PhaseBarriers {
 public:
  void begin_block() { barriers_.clear(); }

  // By the running thread.
  void start(const Scene& scene, std::uintptr_t barrier, std::uint64_t expected, Pc pc);
  /// Null: nobody has been seen to initialise it.
  const BarrierStart* start_of(std::uintptr_t barrier) {
    const Barrier* const at = find(barrier);
    return at == nullptr ? nullptr : &at->start;
  }
  void arrive(const Scene& scene, std::uintptr_t barrier, std::uint64_t arrivals, std::uint64_t drops, Pc pc);
  /// The arrival that ended the phase before this one; null: there is none.
  const BarrierStart* end_before(std::uintptr_t barrier) {
    const Barrier* const at = find(barrier);
    return at == nullptr || !at->ended ? nullptr : &*at->ended;
  }
  /// The running thread's next arrival might as well have counted in the phase before.
  void note_haste(std::uintptr_t barrier) {
    if (Barrier* const at = find(barrier); at != nullptr) at->hasty = true;
  }
  void end_phase(std::uintptr_t barrier);
  /// Another block of the cluster has ended its phase, by an arrival or the last bytes, and nobody said so
  /// here.
  bool has_ended_elsewhere(std::uintptr_t barrier);
  /// It does not pass at once: the phase that it waits for has not ended.
  void wait(const Scene& scene, std::uintptr_t barrier, Pc pc);
  void pass(const Scene& scene, std::uintptr_t barrier, Pc pc);

  /// No thread of the block can go on: why, where that is because of a barrier.
  std::optional<runs::Finding> why_stuck(const Scene& scene) const;
  /// The block has ended: where it hung on who came first which arrivals ended a phase.
  std::optional<runs::Finding> why_hasty(const Scene& scene) const;
  /// Threads of the block used data too early: what may have led to it.
  std::optional<runs::Finding> why_unordered(const Scene& scene) const;

 private:
  static constexpr std::int64_t kNever = -2;  ///< -1 is the phase before the first, which counts as ended
  /// A thread at a barrier. Phases are numbered from 0.
  struct Visitor {
    std::uint64_t arrivals = 0;
    std::int64_t arrived_in = kNever;  ///< the phase of its latest arrival
    std::int64_t passed = kNever;      ///< the phase whose end it has waited for last
    std::optional<std::int64_t> waits_for;
    Pc arrives_at = 0, waits_at = 0;
    Pc passed_again_at = 0;  ///< where it did not have to wait, as it had waited for that phase before; 0: no
    std::int64_t passed_again = kNever;
  };
  struct Barrier {
    std::uint64_t expected = 0, came = 0;  ///< arrivals: of a phase, in this one
    std::int64_t phase = 0;
    Pc started_at = 0;
    BarrierStart start = {};
    std::optional<BarrierStart> latest, ended;  ///< the latest arrival; that which ended the phase before
    bool hasty = false;  ///< somebody arrived who need not have come after the end of the phase before
    std::map<std::uint32_t, Visitor> visitors;  ///< by thread of the block
  };
  /// A barrier at which threads wait, as a finding is made of it.
  struct Wait {
    std::uintptr_t address;
    const Barrier& barrier;
    std::uint32_t thread;  ///< the first that waits
    const Visitor& visitor;
  };
  /// What explains most comes first.
  enum Rank { kCountedTooFew, kTwice, kOverrun, kExit, kCountedTooMany, kDeadlock };
  struct Cause {
    Rank rank;
    runs::Finding finding;
  };
  Barrier* find(std::uintptr_t barrier);
  static bool ends_too_early(const Barrier& barrier);
  std::optional<Cause> cause(const Scene& scene, const Wait& wait) const;
  Cause too_few(const Scene& scene, const Wait& wait) const;
  static runs::Finding finding_at(const Scene& scene, runs::FindingClass klass, const Wait& wait);
  static runs::Finding counts_too_few(const Scene& scene, std::uintptr_t address, const Barrier& barrier);
  std::optional<Wait> waits_elsewhere(const Wait& wait) const;

  std::map<std::uintptr_t, Barrier> barriers_;
};

}  // namespace workbook::sim
