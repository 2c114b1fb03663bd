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

  /// What lies at a word: runs::TensorInfo::id, and the words from `begin` on that are known to be its own;
  /// of global memory, as long as nothing is freed.
  struct Tensor {
    int id;
    std::uint32_t begin = 0, words = 0;
  };
  using TensorOf = Tensor (*)(bool shared, std::uint32_t word);
  void begin_launch(std::uint32_t block_threads, TensorOf tensor_of);

  void begin_block() {
    l1_.begin_block();
    std::fill(std::begin(copies_), std::end(copies_), Copies{});
    block_copies_ = {};
  }

  void meet_others() { l1_.meet_others(); }

  /// Appends an access of `thread`; `word` is its address in units of 4 bytes. True when the thread's window
  /// is full: flush() must come before its next one.
  [[gnu::always_inline]] bool append(std::uint32_t thread, Place place, std::uint32_t word) {
    if (!follows(thread, place)) [[unlikely]]
      make_follow(thread, place);
    return put(thread, word);
  }
  // The same in parts, for who may not call anything on the way: once follows(), put().
  [[gnu::always_inline]] bool follows(std::uint32_t thread, Place place) const {
    return *cursors_[thread].way == Way{place, static_cast<std::uint32_t>(workbook_sim_reach)};
  }
  [[gnu::always_inline]] bool put(std::uint32_t thread, std::uint32_t word) {
    workbook_sim_reach = 0;
    Cursor& c = cursors_[thread];
    *c.word++ = word;
    if (reinterpret_cast<std::uintptr_t>(c.word) % (4 * kTogetherInMemory) == 0)
      c.word += kTogetherInMemory * (kWarpSize - 1);
    return ++c.way == c.end;
  }
  /// Makes it follow.
  void make_follow(std::uint32_t thread, Place place) {
    append_way(thread, {place, static_cast<std::uint32_t>(workbook_sim_reach)});
  }
  /// What append() is given for a word of shared memory that another block of the cluster has.
  std::uint32_t remote(std::uint32_t word) {
    any_remote_ = true;
    return word | kRemote;
  }
  /// `thread` waits for copies; `pending` stages of later ones may still be on their way.
  void append_wait(std::uint32_t thread, std::uint32_t pending) {
    if (length(thread) + 1 >= kWindow) return;
    const std::uintptr_t reach = std::exchange(workbook_sim_reach, 0);
    append(thread, Place::wait(), pending);
    workbook_sim_reach = reach;
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
  // Lanes of a warp do the same, mostly: so the place of their nth access, and how they came there, is kept
  // once, as the first lane has it that comes so far. A lane that goes another way keeps its own from there
  // on. The words of a warp lie by fours of accesses, those of all its lanes together: few accesses of many
  // threads then take few pages and lines of the cache. A power of two between warps would make them share a
  // few sets of it.
  struct Way {
    Place place;
    std::uint32_t reach;  ///< as in LoggedAccess
    [[gnu::always_inline]] bool operator==(const Way& other) const {
      return ((place.bits() ^ other.place.bits()) | (reach ^ other.reach)) == 0;
    }
  };
  static constexpr std::uint32_t kTogetherInMemory = 4;
  static constexpr std::uint32_t kWarpStride = (kWindow + 4) * kWarpSize, kWayStride = kWindow + 8;
  /// Where the next access of a thread goes.
  struct Cursor {
    Way* way;             ///< its warp's, or its own
    std::uint32_t* word;  ///< four of a lane's stand together and begin at a multiple of 16 bytes
    Way* end;             ///< of the window
  };
  void append_way(std::uint32_t thread, Way way);
  std::uint32_t length(std::uint32_t thread) const {
    return kWindow - static_cast<std::uint32_t>(cursors_[thread].end - cursors_[thread].way);
  }
  void restart(std::uint32_t first_thread);
  Way* ways_of(std::uint32_t warp) const { return &warp_ways_[warp * kWayStride]; }
  Way* own_ways_of(std::uint32_t thread) const { return &own_ways_[std::size_t{thread} * kWayStride]; }
  std::uint32_t* words_of(std::uint32_t warp) const {
    return reinterpret_cast<std::uint32_t*>(&words_[std::size_t{warp} * (kWarpStride / kTogetherInMemory)]);
  }
  void append_diverged(std::uint32_t thread, std::uint32_t from, std::uint32_t end);
  void flush_warp(std::uint32_t first_thread, std::uint32_t lanes, std::uint32_t shortest,
                  std::uint32_t longest);
  void flush_diverged(std::uint32_t first_thread, std::uint32_t lanes, std::uint32_t from);
  std::vector<LoggedAccess> diverged_;  ///< what one flush of those looks at
  void count(Place place, const WarpRequest& request);
  static std::pair<WarpRequest, bool> brought_home(WarpRequest request);
  void count_shared(SiteCount& site, const WarpRequest& request, bool remote);
  SiteCount& site(Place place);
  void note_tensor(SiteCount& site, std::uint32_t word);
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
  struct alignas(4 * kTogetherInMemory) Words {
    std::uint32_t words[kTogetherInMemory];
  };
  std::unique_ptr<Words[]> words_;    ///< kWarpStride of them for each warp of a block
  std::unique_ptr<Way[]> warp_ways_;  ///< kWayStride for each warp
  std::unique_ptr<Way[]> own_ways_;   ///< the same for each thread, for those that have gone other ways
  Cursor cursors_[kMaxThreads];
  std::uint32_t diverged_at_[kMaxThreads];  ///< from where on a thread's ways are its own; kWindow: nowhere
  std::uint32_t warp_diverged_at_[kMaxWarps];  ///< the first of a warp's
  std::vector<SiteCount> counts_;
  /// Of each of them, the tensor at which it was last.
  struct LatestTensor {
    std::uint32_t begin = 0, words = 0, releases = 0;
  };
  std::vector<LatestTensor> latest_tensors_;
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
