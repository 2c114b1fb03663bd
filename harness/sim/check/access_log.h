// The accesses of a block, thread by thread, until the lanes of each warp can be matched into requests: the
// nth access of every lane at one place is one request, which is turned into 32-byte sectors or passes over
// the banks of shared memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "access_match.h"
#include "chase.h"
#include "l1_cache.h"
#include "runs/record.h"
#include "sim/engine/loop_watch.h"

namespace workbook::sim {

/// What the requests of one place came to.
struct SiteCount {
  Place place;
  int tensor = -2;  ///< -2: none yet, -1: several
  std::uint64_t requests = 0, sectors = 0, ideal_sectors = 0, passes = 0, bytes = 0;
  std::uint64_t lines = 0, l1_sectors = 0, misses = 0;  ///< as in runs::SiteCounters
  bool approximate = false;
};

/// How often warps waited for what their L1 did not have: for the L2, and of these for DRAM; and for shared
/// memory, and of these for that of other blocks.
struct Waits {
  double all = 0.0, dram = 0.0;
  std::uint64_t shared = 0, remote = 0;
};

class AccessLog {
 public:
  static constexpr std::uint32_t kWindow = 1024;  ///< accesses a thread may make before its block takes stock

  /// `tensor_of(shared, word)` names what lies at a word: runs::TensorInfo::id.
  using TensorOf = int (*)(bool shared, std::uint32_t word);
  void begin_launch(std::uint32_t block_threads, TensorOf tensor_of);

  void begin_block() {
    l1_.begin_block();
    std::fill(std::begin(copies_), std::end(copies_), Copies{});
    block_copies_ = {};
  }

  void meet_others() { l1_.meet_others(); }

  /// Appends an access of `thread`; `word` is its address in units of 4 bytes. True when the thread's window
  /// is full: flush() must come before its next one.
  bool append(std::uint32_t thread, Place place, std::uint32_t word) {
    std::uint32_t& length = lengths_[thread];
    entry(thread, length) = {place, word, static_cast<std::uint32_t>(std::exchange(workbook_sim_reach, 0))};
    return ++length == kWindow;
  }
  /// What append() is given for a word of shared memory that another block of the cluster has.
  std::uint32_t remote(std::uint32_t word) {
    any_remote_ = true;
    return word | kRemote;
  }
  /// How many accesses of `thread` are in its window, and that those behind the first `from` of them were
  /// made by an asynchronous copy.
  std::uint32_t length(std::uint32_t thread) const { return lengths_[thread]; }
  void mark_copies(std::uint32_t thread, std::uint32_t from) {
    for (std::uint32_t i = from <= lengths_[thread] ? from : 0; i < lengths_[thread]; ++i) {
      Place& place = entry(thread, i).place;
      place = place.as_copy();
    }
  }
  /// `thread` waits for copies; `pending` stages of later ones may still be on their way.
  void append_wait(std::uint32_t thread, std::uint32_t pending) {
    std::uint32_t& length = lengths_[thread];
    if (length + 1 < kWindow) entry(thread, length++) = {Place::wait(), pending, 0};
  }
  /// The same for the oldest of a block's stages, whichever of its threads copied.
  void append_stage_wait(std::uint32_t thread, std::uint32_t pending) {
    append_wait(thread, pending | kOfBlock);
  }
  /// `thread` has begun what it copies for a stage of its block.
  void append_stage_commit(std::uint32_t thread) { append_wait(thread, kStageCommit); }
  /// Turns what every warp has in its log into counts.
  void flush();
  const std::vector<SiteCount>& counts() const { return counts_; }
  const Waits& waits() const { return waits_; }
  /// Requests of which some lane reaches into another block of the cluster.
  std::uint64_t remote_requests() const { return remote_requests_; }

 private:
  // The windows of a warp lie by fours of accesses, those of all its lanes together: few accesses of many
  // threads then take few pages and lines of the cache. A power of two between warps would make them share a
  // few sets of it.
  static constexpr std::uint32_t kTogetherInMemory = 4;
  static constexpr std::uint32_t kWarpStride = (kWindow + 4) * kWarpSize;
  static constexpr std::size_t place_of(std::uint32_t i) {
    return i / kTogetherInMemory * (kTogetherInMemory * kWarpSize) + i % kTogetherInMemory;
  }
  LoggedAccess* window(std::uint32_t thread) const {
    return &entries_[thread / kWarpSize * kWarpStride + thread % kWarpSize * kTogetherInMemory];
  }
  LoggedAccess& entry(std::uint32_t thread, std::uint32_t i) const { return window(thread)[place_of(i)]; }
  void flush_warp(std::uint32_t first_thread, std::uint32_t lanes);
  void flush_diverged(std::uint32_t first_thread, std::uint32_t lanes, std::uint32_t from);
  std::vector<LoggedAccess> diverged_;  ///< what one flush of those looks at
  void count(Place place, const WarpRequest& request);
  static std::pair<WarpRequest, bool> brought_home(WarpRequest request);
  void count_shared(SiteCount& site, const WarpRequest& request, bool remote);
  SiteCount& site(Place place);
  void load(Place place, std::uint32_t word, bool missed, bool first_touch);
  void end_underway();
  // Loads that are on their way together, so that a warp waits for them once: until a store, which they could
  // not pass, or a barrier; and of a loop one round, or four where it has a single load, as nvcc unrolls
  // those whose length it does not know, and two where it has two: so an H200 takes them. A load whose index
  // is what the same line loads waits for it, as in `i = next[i]`; where a loop goes on by such loads, they
  // alone part its rounds, and what a round holds, however often, is under way together.
  static constexpr std::uint32_t kTogether = 4;
  static constexpr std::size_t kMostUnderway = 64;  ///< as many as registers wait for
  struct Underway {
    Place place;
    std::uint32_t times;
  };
  std::vector<Underway> underway_;
  std::size_t loads_underway_ = 0;
  Chase chase_;
  bool underway_missed_ = false, underway_from_dram_ = false;
  bool shared_underway_ = false;  ///< the latest access to shared memory was a load
  bool remote_underway_ = false;  ///< and no load from another block's came before it that was a first one
  // What asynchronous copies fetch is waited for later, if at all: by warp. What the warp does meanwhile,
  // in clocks, is not waited for.
  struct Copies {
    bool missed = false, dram = false;
    double work_since_wait = 0.0, work_since_copy = 0.0;
  };
  static constexpr std::uint32_t kOfBlock = 1u << 31, kStageCommit = ~0u;
  bool copy_stores_next_ = false;  ///< what was counted last is what a copy has read
  Copies block_copies_;            ///< what the stages of the block have fetched so far
  void count_wait(std::uint32_t said);
  static double part_waited_for(const Copies& copies, std::uint32_t pending);
  void work(double clocks) {
    copies_[warp_].work_since_wait += clocks;
    copies_[warp_].work_since_copy += clocks;
  }
  Copies copies_[kMaxThreads / kWarpSize];
  std::uint32_t warp_ = 0;  ///< whose requests are being counted
  Waits waits_;
  static constexpr std::uint32_t kRemote = 1u << 31;
  bool any_remote_ = false;  ///< in this launch, so far
  std::uint64_t remote_requests_ = 0;

  std::uint32_t threads_ = 0;
  TensorOf tensor_of_ = nullptr;
  std::unique_ptr<LoggedAccess[]> entries_;  ///< kWarpStride for each warp of a block
  std::uint32_t lengths_[kMaxThreads] = {};
  std::vector<SiteCount> counts_;
  L1Cache l1_;
  FirstTouches touched_;
  static constexpr std::size_t kRecent = 256;
  struct Recent {
    std::uint32_t bits = ~0u, index = 0;
  };
  Recent recent_[kRecent];
  std::unordered_map<std::uint32_t, std::uint32_t> index_;  ///< by Place::bits()
};

struct Sites {
  std::vector<runs::SiteCounters> counters;
  std::int64_t chained_misses = 0, chained_dram_misses = 0, chained_shared = 0, remote_requests = 0,
               chained_remote = 0;  ///< as in runs::LaunchCounters
};
/// The sum of several logs' counts as the record has them, lines resolved, times `scale` (blocks in all /
/// blocks counted).
Sites to_record(const std::vector<const AccessLog*>& logs, const char* kernel, double scale);

}  // namespace workbook::sim
