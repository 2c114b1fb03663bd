// The accesses of a block, thread by thread, until the lanes of each warp can be matched into requests: the
// nth access of every lane at one place is one request, which is turned into 32-byte sectors or passes over
// the banks of shared memory.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "access_match.h"
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
  std::uint64_t waits = 0;  ///< of `misses`, those that no miss just before them at this place hides
  bool approximate = false;
};

class AccessLog {
 public:
  static constexpr std::uint32_t kWindow = 1024;  ///< accesses a thread may make before its block takes stock

  /// `tensor_of(shared, word)` names what lies at a word: runs::TensorInfo::id.
  using TensorOf = int (*)(bool shared, std::uint32_t word);
  void begin_launch(std::uint32_t block_threads, TensorOf tensor_of);

  void begin_block() { l1_.begin_block(); }

  /// Appends an access of `thread`; `word` is its address in units of 4 bytes. True when the thread's window
  /// is full: flush() must come before its next one.
  bool append(std::uint32_t thread, Place place, std::uint32_t word) {
    std::uint32_t& length = lengths_[thread];
    entries_[thread * kStride + length] = {place, word,
                                           static_cast<std::uint32_t>(std::exchange(workbook_sim_reach, 0))};
    return ++length == kWindow;
  }
  /// Turns what every warp has in its log into counts.
  void flush();
  const std::vector<SiteCount>& counts() const { return counts_; }

 private:
  // A power of two between the threads' windows would make them share a few sets of the cache.
  static constexpr std::uint32_t kStride = kWindow + 40;
  void flush_warp(std::uint32_t first_thread, std::uint32_t lanes);
  void flush_diverged(std::uint32_t first_thread, std::uint32_t lanes, std::uint32_t from);
  void count(Place place, const WarpRequest& request);
  SiteCount& site(Place place);
  // Loads at one place with nothing between them, as an unrolled loop has them, are on their way together.
  static constexpr std::uint32_t kTogether =
      4;  ///< how far nvcc unrolls a loop whose length it does not know
  Place last_place_;
  std::uint32_t in_a_row_ = 0;  ///< requests of the warp at last_place_
  bool one_missed_ = false;     ///< of those that are on their way together

  std::uint32_t threads_ = 0;
  TensorOf tensor_of_ = nullptr;
  std::unique_ptr<LoggedAccess[]> entries_;  ///< kStride for each thread of a block
  std::uint32_t lengths_[kMaxThreads] = {};
  std::vector<SiteCount> counts_;
  L1Cache l1_;
  static constexpr std::size_t kRecent = 256;
  struct Recent {
    std::uint32_t bits = ~0u, index = 0;
  };
  Recent recent_[kRecent];
  std::unordered_map<std::uint32_t, std::uint32_t> index_;  ///< by Place::bits()
};

struct Sites {
  std::vector<runs::SiteCounters> counters;
  std::int64_t chained_misses = 0;  ///< as in runs::LaunchCounters
};
/// The sum of several logs' counts as the record has them, lines resolved, times `scale` (blocks in all /
/// blocks counted).
Sites to_record(const std::vector<const AccessLog*>& logs, const char* kernel, double scale);

}  // namespace workbook::sim
