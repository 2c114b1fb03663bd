// What Ctrl-C does to work that has something to show for it: it ends early, and what there is is printed.
#pragma once

#include <signal.h>

#include <atomic>

#include "cli/base/process.h"

namespace workbook::cli {

inline std::atomic<bool> interrupted{false};

/// While it lives, Ctrl-C ends the child at work and is remembered.
class StopOnInterrupt {
 public:
  StopOnInterrupt() {
    struct sigaction action {};
    action.sa_handler = [](int) {
      interrupted = true;
      kill_all_processes();
    };
    for (std::size_t i = 0; i < std::size(kNumbers); ++i) sigaction(kNumbers[i], &action, &before_[i]);
  }
  ~StopOnInterrupt() {
    for (std::size_t i = 0; i < std::size(kNumbers); ++i) sigaction(kNumbers[i], &before_[i], nullptr);
  }
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

 private:
  static constexpr int kNumbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[std::size(kNumbers)]{};
};

/// Ends this process as the shell expects of what Ctrl-C ended, if it was pressed.
inline void end_if_interrupted() {
  if (!interrupted) return;
  signal(SIGINT, SIG_DFL);
  raise(SIGINT);
}

}  // namespace workbook::cli
