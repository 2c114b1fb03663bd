// The diagnosing side of the simulator: every traced access goes through here. One worker only: a diagnosing
// build runs its blocks one after another, so findings and counters do not depend on the machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "arena.h"
#include "engine.h"
#include "findings.h"
#include "runs/record.h"
#include "runs/trace.h"
#include "sites.h"
#include "symbols.h"

namespace workbook::sim {

struct Modes {
  bool check = false;  ///< bounds, races, initialisation; false: bounds only
  bool count = false;  ///< requests, sectors, banks, unique bytes
  bool trace = false;  ///< every access into the trace
};

class Diagnosis {
 public:
  static Diagnosis& get() { return *instance_; }

  Modes modes;
  FindingLog findings;

  void begin_launch(const Launch& launch);
  /// The counters of the launch that ends, scaled up when only some of its blocks ran.
  runs::LaunchCounters end_launch(std::uint64_t blocks_sampled);

  void access(Worker& worker, std::uintptr_t address, std::uint32_t bytes, runs::Access kind, Pc pc);
  void block_begin();
  void block_end();
  void barrier(Worker& worker);
  void fence() { block_fenced_ = true; }
  bool block_damaged() const { return block_damaged_; }
  /// A thread followed a pointer to nowhere since forget_launches(): a GPU would have ended the program.
  bool crashed = false;
  /// Before an atomic: what other blocks published through this address is now ordered before the running
  /// block.
  void acquire(std::uintptr_t address);
  /// After an atomic that follows a fence: publishes what the running block did so far.
  void release(Worker& worker, std::uintptr_t address);

  /// Accesses traced since the process began; the sampler's measure of work.
  std::uint64_t accesses = 0;

  /// Starts a new trace; launches are numbered from 0 again.
  void restart_trace();
  /// Events with lines and files resolved; the launch numbers count from restart_trace().
  runs::Trace take_trace();
  /// Tensor ids in traces: named allocations keep theirs, shared variables follow from `first_shared_id`.
  int first_shared_id = 0;

  /// Who last wrote the word at `offset` of the arena, if a kernel did.
  struct LastWriter {
    runs::ThreadId who;
    Pc pc = 0;
  };
  std::optional<LastWriter> last_writer(std::uint64_t offset) const;
  void forget_launches();

 private:
  /// One side of a race, as a cell remembers it.
  struct Party {
    std::uint32_t gid, site;
    bool wrote;
  };
  /// The words of one access: shadow cells, and how to name what they hold.
  struct Target {
    Cell* cells;                     ///< cell of offset 0
    std::uint64_t offset;            ///< of the access, in bytes from cells
    const Allocation* allocation;    ///< global memory
    const SharedVariable* variable;  ///< shared memory
    std::uint64_t variable_offset;   ///< shared: bytes into the variable
  };
  struct TraceItem {
    runs::TraceEvent event;
    std::uint32_t site;
  };
  struct LaunchShape {
    uint3 grid, block;
    std::uint32_t block_threads;
  };

  void global_access(Worker& worker, std::uint64_t offset, std::uint32_t bytes, runs::Access kind, Pc pc);
  void shared_access(Worker& worker, std::uintptr_t address, std::uint32_t bytes, runs::Access kind, Pc pc);
  void touch_words(Worker& worker, const Target& target, std::uint32_t bytes, runs::Access kind,
                   std::uint32_t site);
  bool ordered(const Worker& worker, std::uint32_t gid, std::uint32_t epoch, std::uint32_t clock) const;
  void report_race(Worker& worker, const Party& before, runs::Access kind, std::uint32_t site,
                   const Target& target);
  void report_uninitialised(Worker& worker, std::uint32_t site, const Target& target);
  void wild_access(Worker& worker, std::uintptr_t address, runs::Access kind, Pc pc);
  const SharedVariable* find_shared(std::uintptr_t offset);
  /// Ends the running thread: its access cannot be let through. What its block does from here on is not
  /// looked at for consequences.
  [[noreturn]] void kill(Worker& worker);
  runs::ThreadId thread_id(std::uint32_t gid) const;
  std::string name(const runs::ThreadId& id) const;
  void trace_event(Worker& worker, int tensor, std::uint64_t element, std::uint32_t count, runs::Access kind,
                   std::uint32_t site);

  static Diagnosis* const instance_;

  const Launch* launch_ = nullptr;
  SiteTable sites_;
  std::vector<Cell> shared_cells_;
  std::uintptr_t tls_base_ = 0;
  std::uintptr_t shared_low_ = 0, shared_high_ = 0;
  std::int64_t atomics_ = 0;
  bool block_fenced_ = false;
  bool block_damaged_ = false;  ///< a thread of the running block was ended
  const SharedVariable* first_shared_ = nullptr;
  const SharedVariable* recent_shared_ = nullptr;
  std::vector<LaunchShape> launches_;  ///< by generation, for last_writer()
  std::uint32_t first_generation_ = 0;
  std::uint32_t trace_launch_ = 0;
  std::vector<TraceItem> trace_;
  bool trace_truncated_ = false;

  // Release and acquire across blocks: a fence and then an atomic publishes what the block did before it.
  struct Release {
    std::uint32_t block, gid, epoch;
  };
  std::unordered_map<std::uintptr_t, std::vector<Release>> released_;
  std::unordered_map<std::uint32_t, std::vector<Release>> acquired_;  ///< by block, of the running block
};

}  // namespace workbook::sim
