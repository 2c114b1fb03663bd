// Child processes: compilers, and the learner's code, which may crash, hang, fork or print for ever.
// Each runs in its own process group, with limits, and dies with us.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace workbook::cli {

struct ProcessLimits {
  /// 0: none. Past it SIGTERM, where the process has had a processor for half of it; one that sleeps is given
  /// three times as long, and one that would run but has no processor goes on.
  std::chrono::milliseconds wall{0};
  /// A file that the process counts its work in (sim::ProgressNote), or none: the limit begins anew with each
  /// change, and SIGTERM comes when there has been too much work.
  std::filesystem::path progress{};
  std::chrono::milliseconds grace{10'000};  ///< from SIGTERM to SIGKILL: to say where it was
  std::size_t output_bytes = 1 << 20;  ///< what is kept of stdout and stderr; the rest is read and dropped
  /// Resident memory, looked at many times a second, of all processes that run now with such a limit: past it
  /// the largest is killed; 0: none. Not an rlimit: the simulator reserves far more address space than it
  /// uses, and so does the CUDA driver.
  std::size_t memory_bytes = 0;
  /// Time in which it waits counts as time in which it works: it waits for nobody but itself.
  bool waiting_counts = false;
  std::filesystem::path
      shown{};                 ///< such a file, from which a line on the terminal says how far it is, or none
  std::size_t file_bytes = 0;  ///< RLIMIT_FSIZE; 0: none
  /// Of a command that is confined (confinement.h): processor time and memory are those of all that it has
  /// started, memory is its own however much others hold, SIGTERM goes past those that confine, and an exit
  /// status above 128 stands for a signal.
  bool family = false;
  std::chrono::seconds processor{0};          ///< RLIMIT_CPU, of each process; 0: none
  std::size_t address_bytes = 0;              ///< RLIMIT_AS, of each process; 0: none
  const std::atomic<bool>* cancel = nullptr;  ///< becomes true when the result is no longer wanted
};

struct ProcessResult {
  int exit_code = -1;  ///< -1 when a signal ended it
  int signal = 0;
  bool timed_out = false;
  bool out_of_memory = false;
  bool memory_shared = false;  ///< and without the other processes it would not have been
  bool output_cut = false;
  std::string output;  ///< stdout and stderr as they came
  double elapsed_ms = 0.0;
  bool ok() const { return exit_code == 0 && !timed_out && !out_of_memory; }
  /// Whether it may have been ended by somebody else: with the whole job of a cluster, for want of memory.
  bool killed_by_others() const;
};

/// Runs a program to its end. May be called from several threads at once. Throws HarnessError when it
/// cannot be started.
ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                          const ProcessLimits& limits);

/// Ends every process started here that still runs; for the handler of Ctrl-C, hence async-signal-safe.
void kill_all_processes() noexcept;

}  // namespace workbook::cli
