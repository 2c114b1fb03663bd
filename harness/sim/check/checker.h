// The diagnosing side of one worker: every traced access of its threads goes through here. Bounds, races and
// initialisation are judged on the spot; what is counted is logged and matched later.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "access_log.h"
#include "findings.h"
#include "ordering.h"
#include "runs/trace.h"
#include "sim/engine/arena.h"
#include "sim/engine/engine.h"
#include "sim/source/symbols.h"
#include "word_records.h"

namespace workbook::sim {

struct Modes {
  bool check = false;     ///< bounds, races, initialisation; false: bounds only
  bool count = false;     ///< requests, sectors, banks, unique bytes
  bool advise = false;    ///< findings of severity advice, from the counts
  bool in_order = false;  ///< blocks run one after another, in the same order each time
  bool trace = false;     ///< and every access goes into the trace
};

struct TraceItem {
  runs::TraceEvent event;
  std::uint32_t pc_offset;
};

class Checker final : public WorkerEvents {
 public:
  explicit Checker(Worker& worker);

  // Called by the worker, outside of kernel code.
  void begin_launch(const Launch& launch) override;
  void begin_block() override;
  void end_block() override;
  void pass_barrier() override;
  void pass_warp_barrier(std::uint32_t first, std::uint32_t lanes) override {
    ordering.sync_warp(first, lanes);
  }
  void pass_team_barrier(std::shared_ptr<const TeamEpochs> blocks) override {
    ordering.learn_team(std::move(blocks));
  }
  void flush_logs() override { log.flush(); }
  void see_bad_mask(const SimThread& t, const char* what) override;
  void see_stuck_warp(std::uint32_t warp, std::uint32_t lanes, std::uint32_t mask) override;
  void see_missing_source(const SimThread& t, int source) override;
  void see_active_mask(Pc pc) override;

  // Called by the running thread.
  /// kSignal: a volatile read, or a volatile write after a fence, which are how threads signal each other:
  /// two of them are no race.
  template <runs::Access kKind, bool kSignal = kKind == runs::Access::atomic>
  void access(std::uintptr_t address, std::uint32_t bytes, Pc pc);
  /// As many accesses as it takes, the widest that the address allows first.
  void access_range(std::uintptr_t address, std::size_t bytes, bool writes, Pc pc);

  /// An index outside of its dimension of an array with a fixed size, at a column of the line of `pc`. The
  /// source says whose; where it cannot be read, the access that follows.
  void note_bad_index(std::uint32_t column, std::int64_t index, Pc pc);
  /// An index past an array of its own, where one was noted.
  const char* stack_trouble() const override;

  /// Whether the copy to this place of shared memory stands in a group that its thread has not closed.
  bool is_uncommitted(std::uint64_t offset) const;
  void begin_copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, std::size_t zero_bytes,
                  const void* group, Pc pc) override;
  void close_group() override;
  void wait_for_groups(unsigned int pending) override;
  void complete_group(const void* group) override;

  Work work() const override { return {accesses, atomics}; }
  std::string name_at(std::uintptr_t address) const override;
  const char* kernel() const { return worker_.launch->kernel->name; }
  bool is_shared(std::uintptr_t address) const override { return address - shared_low_ < shared_span_; }
  /// Beside the shared arrays, as far as a block may have shared memory: an index gone wrong.
  bool is_near_shared(std::uintptr_t address) const {
    return shared_span_ > 0 && address - (shared_low_ - kMaxSharedBytes) < shared_span_ + 2 * kMaxSharedBytes;
  }
  runs::ThreadId id_of(const SimThread& t) const;
  runs::ThreadId id_of(std::uint32_t gid) const;
  std::string name(const runs::ThreadId& id) const;

  AccessLog log;
  Ordering ordering;
  std::vector<TraceItem> trace;
  bool trace_truncated = false;
  std::uint64_t accesses = 0;  ///< of this launch; the sampler's measure of work
  std::int64_t atomics = 0;    ///< of this launch
  /// What was announced is made elsewhere, before or after: its values are not looked at.
  void settle_stores() {
    if (!racing_stores_.empty()) report_racing_stores(false);
  }
  bool block_damaged = false;  ///< a thread of the running block was ended: no finding about what follows

 private:
  /// Where an access goes: device memory, a variable of the program, the block's shared memory. `cluster`:
  /// shared memory that other blocks may map, which is judged like memory of the whole launch.
  enum class Space : std::uint8_t { arena, image, shared, cluster };
  static constexpr bool is_shared_memory(Space space) { return space >= Space::shared; }
  /// The word of an access, and how to name it.
  struct Target {
    std::uint64_t offset;  ///< of the access, in bytes from where its space begins
    Space space;
    const Checker* owner;  ///< of the shared memory
  };
  struct Party {
    std::uint32_t who, pc;
    bool wrote;
    bool atomic = false;
    std::optional<std::uint32_t> beside = {};  ///< another reader, which races, too
  };
  /// A shared variable as this worker sees it: addresses, and its size in this launch.
  struct SharedArray {
    std::uintptr_t begin, end;
    const SharedVariable* variable;
  };
  static constexpr std::uint16_t kSeveral = 0xffff;  ///< a word that two arrays share

  struct BadIndex {
    bool pending = false;
    std::uint32_t column = 0, thread = 0;
    std::int64_t index = 0;
    Pc pc = 0;
  };
  /// What the source indexes at a column of a line.
  struct IndexedArray {
    std::string name;             ///< empty: the source does not say
    const char* klass = nullptr;  ///< of findings; null: where the thread goes next says it
  };
  const IndexedArray& array_indexed_at(Pc pc, std::uint32_t column);
  void report_bad_index(std::uintptr_t next_address);
  const char* class_of_bad_index(std::uintptr_t next_address) const;
  /// A plain store over another thread's, in the same launch and not ordered after it. Whether it matters is
  /// known when it is done: many threads that store one value do no harm.
  struct RacingStore {
    Party before;
    std::uint32_t pc, thread;
    Target target;
    std::uintptr_t address;  ///< of the word
    std::uint32_t mask;      ///< its bytes that are stored
    std::uint32_t was;       ///< what the word held
  };
  void note_racing_store(const Party& before, std::uint32_t pc, std::uint32_t mask, const Target& target);
  void report_racing_stores(bool made = true);
  /// What waits for the next access, which tells more.
  void attend(std::uintptr_t address) {
    if (bad_index_.pending) report_bad_index(address);
    if (!racing_stores_.empty() && !in_range_) report_racing_stores();
    attention_ = bad_index_.pending || !racing_stores_.empty() || watching_;
  }
  void see_store(std::uintptr_t address, std::uint32_t bytes, Pc pc) const;
  struct AsyncCopy {
    std::uintptr_t to, from;
    std::size_t bytes, zero_bytes;
    const void* group;     ///< null: of the thread that began it
    std::uint32_t thread;  ///< that began it
    std::uint32_t number;  ///< of that thread's groups; the open one when not closed yet
    Pc pc;
  };
  void end_copy(const AsyncCopy& copy);
  void log_stage(const void* group);
  template <class Test>
  void end_copies(Test test);

  template <runs::Access kKind, bool kSignal>
  void global_access(std::uint64_t offset, std::uint32_t bytes, Pc pc);
  template <runs::Access kKind, bool kSignal>
  void heap_access(std::uint64_t offset, std::uint32_t bytes, Pc pc);
  template <runs::Access kKind, bool kSignal>
  void shared_access(std::uintptr_t address, std::uint32_t bytes, Pc pc);
  template <runs::Access kKind, bool kSignal>
  void image_access(std::uintptr_t address, std::uint32_t bytes, Pc pc);
  /// Shared memory of another block of the cluster.
  template <runs::Access kKind, bool kSignal>
  void remote_access(Checker& owner, std::uintptr_t address, std::uint32_t bytes, Pc pc);
  template <runs::Access kKind, bool kSignal>
  void touch_device_words(std::uint64_t offset, std::uint32_t bytes, std::uint32_t pc);
  template <runs::Access kKind, bool kSignal>
  void touch_device_word(std::uint64_t offset, std::uint32_t mask, std::uint32_t pc);
  template <runs::Access kKind, bool kSignal, Space kSpace>
  void touch_words(Cell* cells, std::uint64_t offset, std::uint32_t bytes, std::uint32_t pc, Checker& owner);
  template <runs::Access kKind, bool kSignal, Space kSpace>
  void touch_word(Cell& cell, std::uint64_t offset, std::uint32_t mask, std::uint32_t pc, Checker& owner);

  /// Whether who wrote the word is of this block and has not fenced since.
  bool is_unfenced_of_this_block(const Cell& cell) const;
  /// `own`: `who` counts the threads of the running block, not of the grid.
  bool is_known(bool own, std::uint32_t who, std::uint32_t epoch, std::uint32_t clock) const;
  bool ordered(bool own, std::uint32_t who, std::uint32_t epoch, std::uint32_t clock);
  /// The array that holds the word of `address`, or the one before it; null when none is.
  const SharedArray* shared_array(std::uintptr_t address) const {
    if (!is_shared(address)) return address < shared_low_ ? nullptr : &arrays_.back();
    const std::uint16_t owner = array_of_[(address - shared_low_) / 4];
    return owner == kSeveral ? search_shared_array(address) : &arrays_[owner];
  }
  const SharedArray* search_shared_array(std::uintptr_t address) const;

  // Findings; checker_findings.cpp.
  void report_race(const Party& before, runs::Access kind, std::uint32_t pc, const Target& target) {
    report_race(before, kind, pc, target, *worker_.running, false);
  }
  /// `now`: the thread that came later. `same_value`: what it stored was there already.
  void report_race(const Party& before, runs::Access kind, std::uint32_t pc, const Target& target,
                   const SimThread& now, bool same_value);
  void report_no_block(std::uint32_t who, std::uint32_t pc, std::uint64_t offset, bool ended) const;
  /// Whoever used this block's shared memory and may still have been doing so when it ended.
  void report_late_users();
  bool is_partly_written(std::uintptr_t address, std::size_t bytes) const;
  void report_uninitialised(std::uint32_t pc, const Target& target);
  void report_in_flight(runs::Access kind, std::uint32_t pc, const Target& target, std::uint32_t copy);
  Overrun overrun_of(const Allocation& a, std::uint64_t offset, std::uint32_t bytes) const;
  void report_global_bounds(std::uint64_t offset, std::uint32_t bytes, runs::Access kind, Pc pc);
  void report_shared_bounds(std::uintptr_t address, std::uint32_t bytes, runs::Access kind, Pc pc);
  void report_image_bounds(std::uintptr_t address, std::uint32_t bytes, runs::Access kind, Pc pc);
  void report_misaligned(const std::function<std::string()>& object, std::uint32_t bytes, Pc pc);
  void report_wild(std::uintptr_t address, runs::Access kind, Pc pc);
  std::string name_of(const Target& target) const;
  std::string shared_element(std::uintptr_t address) const;

  /// Ends the running thread: its access cannot be let through. What its block does from here on is not
  /// looked at for consequences.
  [[noreturn]] void kill();
  void trace_event(int tensor, std::uint64_t element, std::uint32_t count, runs::Access kind,
                   std::uint32_t pc);

  Worker& worker_;
  Modes modes_;  ///< of this launch
  Shadow& shadow_;
  WordRecords records_;
  std::uintptr_t shared_low_ = 0, shared_span_ = 0;
  std::vector<SharedArray> arrays_;
  std::vector<std::uint16_t>
      array_of_;  ///< by word from shared_low_: index of the latest array that begins there or before
  std::vector<Cell> shared_cells_;
  std::uint64_t races_told_ = 0;
  bool in_cluster_ = false;  ///< of several blocks
  /// The latest access of one other block of the cluster to this one's shared memory. That block's thread
  /// writes it; who reads it meanwhile is about to report just that.
  struct RemoteUse {
    std::atomic<std::uint32_t> serial{0};  ///< Worker::block_serial that it was of
    std::atomic<std::uint32_t> who, epoch, clock, pc, offset;
  };
  static constexpr std::size_t kMostOfCluster = 16;
  std::array<RemoteUse, kMostOfCluster> remote_uses_;  ///< by rank modulo that
  std::atomic<bool> block_over_{true};
  BadIndex bad_index_;
  std::map<std::pair<Pc, std::uint32_t>, IndexedArray> indexed_arrays_;  ///< reading the source takes long
  std::vector<RacingStore> racing_stores_;
  bool attention_ = false;          ///< attend() has something to do
  bool watching_ = false;           ///< Diagnosis::watched
  bool in_range_ = false;           ///< several accesses are announced before the first is made
  bool copying_struct_ = false;     ///< members that nothing wrote may be among what is read
  std::uint32_t access_bytes_ = 4;  ///< of the access under way, by which an untyped allocation is indexed
  std::uint32_t rechecked_ = 0;     ///< pc of the read that was last told to the findings
  std::vector<AsyncCopy> copies_;   ///< under way, in the order they began
  std::vector<std::uint32_t> groups_closed_;  ///< by thread
};

inline Checker& checker_of(const Worker& worker) { return static_cast<Checker&>(*worker.events); }

}  // namespace workbook::sim
