// Happens-before beyond barriers: what a thread learns from fences with atomics, from synchronisation objects
// (cuda::barrier, cuda::atomic) and from the barriers of a grid or cluster.
//
// A release is published BEFORE the store or atomic that carries it, and an acquire looks AFTER the load or
// atomic that may have seen one. So whoever sees the value finds what came with it, however the operating
// system's threads interleave. Of a volatile load only the moment before is known: it is noted, and looked up
// when what it brought first matters.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "sim/engine/engine.h"

namespace workbook::sim {

/// What a thread of a block had done, and knew of its own block, at a moment. Not changed once it is shared.
struct Release {
  std::uint32_t epoch = 0;            ///< all of the block before it
  std::vector<std::uint32_t> clocks;  ///< by thread of the block
};

/// By block: the latest that is known of it.
using Known = std::unordered_map<std::uint32_t, std::shared_ptr<const Release>>;

/// Where releases lie until somebody acquires them: by address of the object, for the whole launch.
class ReleaseBoard {
 public:
  static ReleaseBoard& get();
  void clear();
  bool empty() const { return !any_.load(std::memory_order_relaxed); }
  void publish(std::uintptr_t object, std::uint32_t block, std::shared_ptr<const Release> release,
               const std::vector<const Known*>& passed_on);
  void forget(std::uintptr_t object);
  /// Calls `learn` with each block and its release at `object`, unless none came since `seen`.
  template <class Learn>
  void read(std::uintptr_t object, std::uint32_t& seen, Learn learn) {
    std::lock_guard lock(mutex_);
    const auto found = released_.find(object);
    if (found == released_.end() || found->second.version == seen) return;
    seen = found->second.version;
    for (const auto& [block, release] : found->second.known) learn(block, release);
  }

 private:
  struct Released {
    std::uint32_t version = 0;
    Known known;
  };
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  std::uint32_t versions_ = 0;
  std::unordered_map<std::uintptr_t, Released> released_;  ///< the join of what was released at an object
};

/// What the threads of the running block know, beside block barriers and the clocks of __syncwarp.
class Ordering {
 public:
  explicit Ordering(Worker& worker) : worker_(worker) {}
  void block_begin();

  /// The running thread's accesses so far are what its next release publishes.
  void fence();
  /// Whether the running thread's next atomic or volatile store publishes anything: after a fence of its own,
  /// or after a barrier that came behind another thread's.
  bool has_fenced() const { return worker_.running->fence_clock != 0 || fenced_.epoch != 0; }
  /// Publishes at `object` what lies before the running thread's latest fence, and before the fences that a
  /// barrier put behind it. `shared`: the object lies in shared memory and ends with its block.
  void release(std::uintptr_t object, bool shared);
  void acquire(std::uintptr_t object, bool shared);
  /// The running thread is about to read `object`; catch_up() acquires it after that.
  void note_sync(std::uintptr_t object, bool shared);
  void catch_up(SimThread& t) {
    if (t.syncs_pending != 0) acquire_pending(t);
  }

  /// All of the block that wait at its barrier learn what each of them knows; before the epoch ends.
  void barrier();
  /// The same for lanes of a warp at __syncwarp(); `first`: the warp's first thread.
  void sync_warp(std::uint32_t first, std::uint32_t lanes);
  /// After a barrier of the team: every block's accesses before it are ordered.
  void learn_team(std::shared_ptr<const std::unordered_map<std::uint32_t, std::uint32_t>> epochs) {
    team_epochs_ = std::move(epochs);
  }

  /// Whether the running thread knows of an access of its own block, of another warp.
  bool knows_thread(std::uint32_t thread, std::uint32_t clock) const;
  /// Whether anything that the block did is known, so that it has begun.
  bool knows_of(std::uint32_t block) const;
  bool knows_block(std::uint32_t block, std::uint32_t thread, std::uint32_t epoch, std::uint32_t clock) const;

 private:
  void acquire(SimThread& t, SyncedObject& from);
  void acquire_pending(SimThread& t);
  Known& known_by(std::uint32_t thread);
  std::uint32_t own_block() const { return static_cast<std::uint32_t>(worker_.block_linear()); }

  Worker& worker_;
  Known by_all_;                                ///< of other blocks, what a barrier told every thread
  std::vector<std::shared_ptr<Known>> by_one_;  ///< by thread: what it alone knows, of its own block too;
                                                ///< lanes that met share one, which is not changed then
  Release fenced_;                              ///< fences that a barrier has put behind every thread
  bool any_ = false;                            ///< some thread acquired something since the last barrier
  bool any_sync_ = false;                       ///< some thread may have something to catch up with
  bool any_fence_ = false;                      ///< since the last barrier
  std::vector<std::uintptr_t> shared_objects_;  ///< released to by this block
  std::shared_ptr<const std::unordered_map<std::uint32_t, std::uint32_t>> team_epochs_;
};

}  // namespace workbook::sim
