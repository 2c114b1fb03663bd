// printf() of kernels: arguments that do not fit the format, and what never appears because the program ends
// before the host has waited for the kernel.
#pragma once

#include <atomic>
#include <mutex>
#include <set>

#include "findings.h"
#include "sim/source/pc.h"

namespace workbook::sim {

/// What kernels have printed lies in a buffer of the device until the host waits, or launches again.
class PrintedOutput {
 public:
  static PrintedOutput& get();

  /// A call at `pc` has printed something.
  void printed(Pc pc);
  /// All of it has appeared.
  void shown() {
    if (waits_.load(std::memory_order_relaxed)) clear();
  }
  /// At the end of the program: a finding for each call whose output a GPU would have lost.
  void report_lost(FindingLog& findings);

 private:
  void clear();

  std::atomic<bool> waits_{false};
  std::mutex mutex_;
  std::set<Pc> calls_;
};

}  // namespace workbook::sim
