// Happens-before beyond barriers: what a thread learns from fences with atomics, from synchronisation objects
// (cuda::barrier, cuda::atomic) and from the barriers of a grid or cluster.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "sim/engine/engine.h"

namespace workbook::sim {

/// What a thread of a block had done, and knew of its own block, at a moment.
struct Release {
  std::uint32_t block = 0;
  std::uint32_t epoch = 0;            ///< all of the block before it
  std::vector<std::uint32_t> clocks;  ///< by thread of the block
};

/// Where releases lie until somebody acquires them: by address of the object, for the whole launch.
class ReleaseBoard {
 public:
  static ReleaseBoard& get();
  void clear();
  bool empty() const { return !any_.load(std::memory_order_relaxed); }
  void publish(std::uintptr_t object, const std::vector<Release>& releases);
  void forget(std::uintptr_t object);
  /// Calls `learn` with each release at `object`.
  template <class Learn>
  void read(std::uintptr_t object, Learn learn) {
    std::lock_guard lock(mutex_);
    const auto found = released_.find(object);
    if (found == released_.end()) return;
    for (const auto& [block, release] : found->second) learn(release);
  }

 private:
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  /// By object and block: the join of what threads of that block released there.
  std::unordered_map<std::uintptr_t, std::unordered_map<std::uint32_t, Release>> released_;
};

/// What the threads of the running block know, beside block barriers and __syncwarp.
class Ordering {
 public:
  explicit Ordering(Worker& worker) : worker_(worker) {}
  void block_begin();

  /// The running thread's accesses so far are what its next release publishes.
  void fence();
  /// Publishes at `object` what lies before the running thread's latest fence; nothing without one. `shared`:
  /// the object lies in shared memory and ends with its block.
  void release(std::uintptr_t object, bool shared);
  void acquire(std::uintptr_t object, bool shared);
  /// The running thread is about to read `object`, which another thread may release to in between.
  void note_sync(std::uintptr_t object) {
    SimThread& t = *worker_.running;
    t.synced[t.syncs++ % 4] = object;
  }
  /// After a barrier of the team: every block's accesses before it are ordered.
  void learn_team(std::shared_ptr<const std::unordered_map<std::uint32_t, std::uint32_t>> epochs) {
    team_epochs_ = std::move(epochs);
  }

  /// Whether the running thread knows of an access of its own block, of another warp.
  bool knows_thread(std::uint32_t thread, std::uint32_t clock) const {
    const std::uint32_t self = worker_.running->linear;
    return any_ && !known_[self].empty() && known_[self][thread] >= clock;
  }
  bool knows_block(std::uint32_t block, std::uint32_t thread, std::uint32_t epoch, std::uint32_t clock) const;

 private:
  Worker& worker_;
  bool any_ = false;                               ///< some thread of this block acquired something
  std::vector<std::vector<std::uint32_t>> known_;  ///< by thread: clocks of the block's threads; empty: none
  std::unordered_map<std::uint32_t, Release> others_;  ///< by block: what the block acquired
  std::vector<std::uintptr_t> shared_objects_;         ///< released to by this block
  std::shared_ptr<const std::unordered_map<std::uint32_t, std::uint32_t>> team_epochs_;
};

}  // namespace workbook::sim
