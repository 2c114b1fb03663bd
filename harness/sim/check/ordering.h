// Happens-before beyond barriers: what a thread learns from fences with atomics, from synchronisation objects
// (cuda::barrier, cuda::atomic) and from the barriers of a grid or cluster.
//
// A release is published BEFORE the store or atomic that carries it, and an acquire looks AFTER the load or
// atomic that may have seen one. So whoever sees the value finds what came with it, however the operating
// system's threads interleave. Of a volatile load only the moment before is known: it is noted, and looked up
// when what it brought first matters.
//
// Who has seen a value by a relaxed atomic or a volatile load, and has not fenced since, has only SEEN what
// came with it: his own volatile and atomic accesses come after that, his others may be made before. A fence
// turns that into knowledge; also one behind a barrier, of any thread that the barrier told.
//
// A store that leaves what was there brings nothing: whoever finds the value it waits for may have found it
// before, as where flags of the launch before are still set.
//
// All of it exists twice: for other blocks count device-wide fences and atomics alone, within a block those
// of its scope, too ("near").
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
  /// `far`, which may be null, for other blocks; `near` for the same one; to both what others published.
  /// `stored`: bytes of a store there that is the next thing to happen; 0: it is something else.
  void publish(std::uintptr_t object, std::uint32_t block, std::shared_ptr<const Release> far,
               std::shared_ptr<const Release> near, const std::vector<const Known*>& passed_on,
               std::uint32_t stored);
  /// The latest object whose store had brought nothing when somebody looked there; 0: there is none.
  std::uintptr_t unchanged() const { return unchanged_.load(std::memory_order_relaxed); }
  void forget(std::uintptr_t object);
  /// Calls `learn` with each block and its release at `object`, unless none came since `seen`. `narrow`: by
  /// an operation that sees no other block's; `loads`: by one that has changed nothing there itself.
  template <class Learn>
  void read(std::uintptr_t object, std::uint32_t& seen, std::uint32_t own_block, bool narrow, bool loads,
            Learn learn) {
    std::lock_guard lock(mutex_);
    const auto found = released_.find(object);
    if (found == released_.end() || found->second.version == seen) return;
    if (loads && found->second.stored != 0 && is_unchanged(found->first, found->second)) return;
    seen = found->second.version;
    if (!narrow)
      for (const auto& [block, release] : found->second.known)
        if (block != own_block) learn(block, release);
    const auto near = found->second.near.find(own_block);
    if (near != found->second.near.end())
      for (const auto& [block, release] : near->second) learn(block, release);
  }

 private:
  struct Released {
    std::uint32_t version = 0;
    Known known;
    std::unordered_map<std::uint32_t, Known> near;  ///< by the block that released it
    std::uint32_t stored = 0;  ///< bytes of the one store that released it, as long as nobody saw it change
    std::uint64_t before = 0;  ///< what was there
  };
  bool is_unchanged(std::uintptr_t object, Released& at);
  std::atomic<std::uintptr_t> unchanged_{0};
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

  /// A fence of the running thread; `far`: for other blocks, too.
  void fence(bool far, bool acquires, bool releases);
  /// Whether the running thread's next atomic or volatile store publishes anything: after a fence of its own,
  /// or after a barrier that came behind another thread's.
  bool has_fenced() const { return worker_.running->fence_clock != 0 || fenced_.epoch != 0; }
  /// Publishes at `object` what lies before the running thread's latest fence, and before the fences that a
  /// barrier put behind it. `shared`: the object lies in shared memory and ends with its block. `narrow`: by
  /// an operation that no other block sees.
  /// `stored`: bytes of the store that comes next; 0: it is another operation.
  void release(std::uintptr_t object, bool shared, bool narrow, std::uint32_t stored);
  /// While one exists, the running thread's operation publishes all that came before, as a fence would have
  /// it; its later ones do not.
  class Releasing {
   public:
    Releasing(Ordering& ordering, bool far, bool releases);
    ~Releasing();
    Releasing(const Releasing&) = delete;
    Releasing& operator=(const Releasing&) = delete;

   private:
    SimThread* thread_ = nullptr;
    std::uint32_t fence_clock_ = 0, fence_epoch_ = 0, far_clock_ = 0, far_epoch_ = 0;
  };
  /// `loads`: by an operation that changes nothing there.
  void acquire(std::uintptr_t object, bool shared, bool narrow, bool loads);
  /// A relaxed operation has seen the object.
  void observe(std::uintptr_t object, bool shared, bool narrow, bool loads);
  /// The running thread is about to read `object`; catch_up() acquires it after that.
  void note_sync(std::uintptr_t object, bool shared);
  void catch_up(SimThread& t) {
    if (t.syncs_pending != 0) acquire_pending(t);
  }

  /// All of the block that wait at its barrier learn what each of them knows; before the epoch ends.
  void barrier();
  /// The same for lanes of a warp at __syncwarp(); `first`: the warp's first thread.
  void sync_warp(std::uint32_t first, std::uint32_t lanes);
  /// The same for a warp group that multiplies together; each thread's later accesses are not known.
  void meet_group(std::uint32_t first, std::uint32_t threads);
  /// After a barrier of the team: every block's accesses before it are ordered.
  void learn_team(std::shared_ptr<const std::unordered_map<std::uint32_t, std::uint32_t>> epochs) {
    team_epochs_ = std::move(epochs);
  }

  /// Whether the running thread knows of an access of its own block, of another warp; `seen`: or has seen it.
  bool knows_thread(std::uint32_t thread, std::uint32_t clock, bool seen) const;
  /// Whether the thread knows of others by objects, and not by barriers alone.
  bool has_learned(std::uint32_t thread) const {
    return any_ && !by_one_.empty() && by_one_[thread] != nullptr;
  }
  /// Whether anything that the block did is known, so that it has begun.
  bool knows_of(std::uint32_t block) const;
  bool knows_block(std::uint32_t block, std::uint32_t thread, std::uint32_t epoch, std::uint32_t clock,
                   bool seen) const;

 private:
  using Knowledge = std::vector<std::shared_ptr<Known>>;  ///< by thread; some may share one
  void learn(SimThread& t, SyncedObject& from, bool acquires, bool narrow, bool loads);
  void acquire_pending(SimThread& t);
  void take_seen(const SimThread& t, bool far);
  Known& known_by(Knowledge& by_one, std::uint32_t thread);
  std::shared_ptr<const Release> snapshot(const SimThread& t, const Release& fenced, std::uint32_t clock,
                                          std::uint32_t epoch) const;
  void share_seen();
  static void share_among(Knowledge& by_one, std::uint32_t first, std::uint32_t lanes);
  const Known* taken_by(std::uint32_t thread) const {
    return taken_.empty() || taken_[thread] == 0 ? nullptr : seen_by_all_.get();
  }
  std::uint32_t own_block() const { return static_cast<std::uint32_t>(worker_.block_linear()); }

  Worker& worker_;
  Known by_all_;      ///< of other blocks, what a barrier told every thread
  Knowledge by_one_;  ///< what a thread alone knows, of its own block too; lanes that met share one, which is
                      ///< not changed then
  Knowledge seen_by_one_;                       ///< the same of what it has seen since the last barrier
  std::shared_ptr<const Known> seen_by_all_;    ///< what a barrier told every thread
  std::vector<std::uint8_t> taken_;             ///< by thread: whether its fence has made knowledge of that
  Release fenced_, fenced_far_;                 ///< fences that a barrier has put behind every thread
  bool any_ = false;                            ///< some thread acquired something since the last barrier
  bool any_sync_ = false;                       ///< some thread may have something to catch up with
  bool any_fence_ = false;                      ///< since the last barrier
  bool any_near_ = false;                       ///< a fence of the block's scope
  bool any_seen_ = false;                       ///< some thread has seen something since the last barrier
  std::vector<std::uintptr_t> shared_objects_;  ///< released to by this block
  std::shared_ptr<const std::unordered_map<std::uint32_t, std::uint32_t>> team_epochs_;
};

}  // namespace workbook::sim
