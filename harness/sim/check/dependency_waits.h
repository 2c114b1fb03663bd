// Which accesses of a kernel that was launched with programmatic stream serialization come before its
// thread's cudaGridDependencySynchronize(): such a kernel may begin before the one before it in its stream
// has ended.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace workbook::sim {

class DependencyWaits {
 public:
  static DependencyWaits& get();
  void begin_launch(bool dependent) {
    dependent_ = dependent;
    waits_.clear();
  }
  /// Whether the latest launch is such a kernel's.
  bool is_on() const { return dependent_; }
  /// What the thread (by number in the grid) does at that clock or later comes behind its wait.
  void note(std::uint32_t thread, std::uint32_t epoch, std::uint32_t clock) {
    if (!dependent_) return;
    const std::lock_guard lock(mutex_);
    waits_.try_emplace(thread, Moment{epoch, clock});
  }
  bool is_before(std::uint32_t thread, std::uint32_t epoch, std::uint32_t clock) const {
    const auto found = waits_.find(thread);
    if (found == waits_.end()) return true;
    const Moment& wait = found->second;
    return epoch < wait.epoch || (epoch == wait.epoch && clock < wait.clock);
  }

 private:
  struct Moment {
    std::uint32_t epoch, clock;
  };
  bool dependent_ = false;
  std::mutex mutex_;
  std::unordered_map<std::uint32_t, Moment> waits_;
};

}  // namespace workbook::sim
