// What all workers of a launch know together: how many of its blocks have begun and ended, and whether
// anything can still change. For the engine; loop_watch.h has the part of one worker.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine.h"
#include "progress.h"

namespace workbook::sim {

/// Where a call of `__sanitizer_cov_trace_pc` returns to and where the stack was: one basic block passed.
struct StepPlace {
  Pc pc = 0;
  std::uintptr_t sp = 0;
};

/// Why a launch was ended, by its first block that did not come to an end.
struct EndlessLoop {
  enum class Why : std::uint8_t { nothing_changes, too_much_work, one_instruction, time_over };
  Why why = Why::nothing_changes;
  std::uint64_t block = 0;
  std::uint32_t thread = 0;      ///< within the block
  std::uint64_t steps = 0;       ///< of its block until then
  std::uint64_t waiting = 0;     ///< blocks that had begun and not ended
  std::uint64_t not_begun = 0;   ///< blocks that never had a turn: too many waited
  std::vector<StepPlace> round;  ///< one round of the loop, or many
  std::string read;              ///< what it read last in that round; empty: nothing
  Pc read_pc = 0;
  std::uintptr_t read_address = 0;
  std::optional<runs::Finding> barrier = {};  ///< why, where it waits for a barrier
};

class LaunchWatch {
 public:
  static LaunchWatch& get();

  void begin(std::uint64_t blocks);
  /// Told by every worker before its first block of a launch.
  void join(Worker& worker);

  /// The next blocks in order, `n` at most, once each: how many there are from `first` on.
  std::uint64_t take(std::uint64_t n, std::uint64_t& first);
  bool all_taken() const { return taken_ >= blocks_; }
  /// `n` blocks that the caller chose itself begin.
  void take_chosen(std::uint64_t n) { taken_ += n; }

  void block_ended() { ++ended_, note_block_ended(), changed(); }
  std::uint64_t ended() const { return ended_.load(std::memory_order_relaxed); }

  /// Counts what may let a waiting thread go on. A verdict about waiting threads holds for one count only.
  std::uint64_t changes() const { return changes_.load(std::memory_order_acquire); }
  void changed() { changes_.fetch_add(1, std::memory_order_acq_rel); }

  /// All threads of `worker` wait or go round, and nothing has changed since changes() was `at`. Once that is
  /// so of every block that has begun, and no other can begin, the launch ends.
  void idle(Worker& worker, std::uint64_t at, bool more_can_begin);
  /// Ends the launch: its blocks end at their threads' next step. False when it is ending already.
  bool end(EndlessLoop::Why why);
  /// The same in a signal handler: the time that the program was given is over. False when no launch runs.
  bool end_in_time();
  /// Once a launch true: whoever asks tells of it.
  bool is_first() { return !told_.exchange(true); }
  bool ending() const { return ending_.load(std::memory_order_relaxed); }
  EndlessLoop::Why why() const { return why_; }

  template <class Visit>
  void for_each_worker(Visit visit) {
    const std::lock_guard lock(mutex_);
    for (const Worker* worker : workers_) visit(*worker);
  }

  void add(EndlessLoop loop);
  /// Of the first block that went round, after the launch; waiting and not_begun are filled in.
  std::vector<EndlessLoop> take_loops();

 private:
  std::mutex mutex_;
  std::vector<Worker*> workers_;
  std::vector<EndlessLoop> loops_;
  std::atomic<std::uint64_t> taken_{0}, ended_{0}, changes_{1};
  std::atomic<bool> ending_{false}, told_{false};
  EndlessLoop::Why why_{};
  std::uint64_t blocks_ = 0, confirming_ = 0, waiting_ = 0, not_begun_ = 0;
};

}  // namespace workbook::sim
