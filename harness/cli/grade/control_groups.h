// Control groups (version 2, or the older one) for sandboxes: what a group's processes take of memory and how
// many they are is bounded by the kernel, not only watched. Needs a hierarchy that may be written to.
#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace workbook::cli {

class ControlGroups {
 public:
  struct Limits {
    std::size_t memory_bytes = 0;
    int processes = 0;  ///< and threads
  };

  /// `mounted`: where hierarchies are mounted; `own`: what /proc/self/cgroup says.
  ControlGroups(std::filesystem::path mounted, const std::string& own);
  /// Takes its groups away.
  ~ControlGroups();
  ControlGroups(const ControlGroups&) = delete;
  ControlGroups& operator=(const ControlGroups&) = delete;

  /// Whether there are any.
  bool usable() const { return !parents_.empty(); }
  /// The command that runs `command` in a group of its own; `command` where there are none.
  std::vector<std::string> around(const std::vector<std::string>& command, const Limits& limits);

 private:
  void find_unified(const std::string& own);
  void find_older(const std::string& own);
  void sweep(std::size_t latest);

  std::filesystem::path mounted_;
  std::vector<std::filesystem::path> parents_;  ///< one, or of the older version one for each controller
  bool unified_ = false;
  std::mutex mutex_;
  std::vector<std::filesystem::path> made_;
  int count_ = 0;
};

}  // namespace workbook::cli
