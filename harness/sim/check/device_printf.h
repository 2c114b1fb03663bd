// printf() of kernels: arguments that do not fit the format, and what never appears because the program ends
// before the host has waited for the kernel.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>

#include "findings.h"
#include "sim/source/pc.h"

namespace workbook::sim {

/// What kernels have printed lies in a buffer of the device until the host waits, or launches again.
class PrintedOutput {
 public:
  static PrintedOutput& get();

  /// A call at `pc` has printed something that takes at least so many bytes of the buffer.
  void printed(Pc pc, std::size_t bytes);
  /// cudaLimitPrintfFifoSize
  void set_room(std::size_t bytes) { room_ = bytes; }
  /// All of it has appeared.
  void shown() {
    if (waits_.load(std::memory_order_relaxed)) clear();
  }
  /// At the end of the program: a finding for each call whose output a GPU would have lost.
  void report_lost(FindingLog& findings);

 private:
  void clear();
  /// Where all that waits is more than the buffer holds.
  void tell_of_overflow(FindingLog& findings) const;

  std::atomic<bool> waits_{false};
  std::atomic<std::size_t> room_{std::size_t{1} << 20};
  std::mutex mutex_;
  std::map<Pc, std::size_t> calls_;  ///< bytes since all had appeared
};

}  // namespace workbook::sim
