// What all checkers of a diagnosing build share: findings, the launches so far, and the sums of their counts.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "access_log.h"
#include "findings.h"
#include "runs/record.h"
#include "runs/trace.h"
#include "scene.h"
#include "sim/engine/arena.h"
#include "sim/engine/engine.h"
#include "tracing.h"

namespace workbook::sim {

/// The calls that led to the last store to one place of device memory.
class WatchedStore {
 public:
  struct Last {
    Pc pc = 0;  ///< 0: there was none
    std::vector<Pc> calls = {};
  };
  /// From the next launch on.
  void begin(std::uintptr_t address, std::size_t bytes);
  Last end();
  bool is_on() const { return bytes_ > 0; }
  void see(std::uintptr_t address, std::size_t bytes, Pc pc);

 private:
  std::uintptr_t address_ = 0;
  std::size_t bytes_ = 0;
  std::mutex mutex_;
  Last last_;
};

class Diagnosis {
 public:
  static Diagnosis& get();

  Modes modes;
  FindingLog findings;
  WatchedStore watched;
  /// A thread followed a pointer to nowhere since forget_launches(): a GPU would have ended the program.
  std::atomic<bool> crashed{false};
  /// Tensor ids in traces and counts: named allocations keep theirs, shared variables follow from here.
  int first_shared_id = 0;

  void begin_launch(const Launch& launch);
  /// The counters of the launch that ends, summed over the workers that ran its blocks, scaled up when only
  /// some of them ran.
  runs::LaunchCounters end_launch(const std::vector<Worker*>& workers, std::uint64_t blocks_sampled);

  /// What lies at a word of the arena or of shared memory; id -1: unknown.
  AccessLog::Tensor tensor_at(bool shared, std::uint32_t word) const;
  /// The worker of the block, of those that run together with this worker's, whose shared memory holds
  /// `address`, or lies so near that an index went wrong; null: none.
  Worker* owner_of_team_shared(const Worker& worker, std::uintptr_t address) const;

  /// Starts a new trace; launches are numbered from 0 again.
  void restart_trace();
  std::uint32_t trace_launch() const { return trace_launch_; }
  /// Events with lines and files resolved; the launch numbers count from restart_trace().
  runs::Trace take_trace();

  /// Whether a kernel of that name was launched.
  bool has_run(const std::string& kernel) const { return kernels_.contains(kernel); }

  /// Who last wrote the element of so many bytes at `offset` of the arena, if a kernel did. `who` is missing
  /// where threads of several warps or places wrote the word of 4 bytes that it is part of, for the shadow
  /// remembers one; so is `pc`.
  struct LastWriter {
    std::optional<runs::ThreadId> who;
    Pc pc = 0;
    std::string name = {};  ///< describe_thread()
  };
  std::optional<LastWriter> last_writer(std::uint64_t offset, std::size_t bytes) const;
  void forget_launches();

 private:
  struct LaunchShape {
    uint3 grid, block;
    std::uint32_t block_threads;
  };
  const Launch* launch_ = nullptr;
  std::vector<LaunchShape> launches_;  ///< by generation, for last_writer()
  std::set<std::string, std::less<>> kernels_;
  std::uint32_t first_generation_ = 0;
  std::uint32_t trace_launch_ = 0;
  std::vector<TraceItem> trace_;
  bool trace_truncated_ = false;
};

}  // namespace workbook::sim
