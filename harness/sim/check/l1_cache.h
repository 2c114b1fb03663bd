// The L1 cache as one block sees it: which sectors of which lines it has loaded and still finds there. Blocks
// that run on one SM at the same time do not share it here, as blocks are counted one by one; only what
// nearly every block loads counts as being there. Nsight Compute's hits are met within a few percent
// (harness/bench/results/h200/counters.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

namespace workbook::sim {

class L1Cache {
 public:
  /// Nothing is in it; as dear as what was.
  void clear() {
    for (std::uint32_t w = 0; w < kSets / 64; ++w)
      for (std::uint64_t rest = std::exchange(used_[w], 0); rest != 0; rest &= rest - 1)
        std::fill_n(sets_[w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(rest))], kWays, Way{});
    block_ = interval_ = 1;
    meeting_ = 0;
  }
  void begin_block() { ++block_; }
  /// The block has met others, whose stores its L1 has not seen: what it holds is given up.
  void meet_others() { ++meeting_; }

  /// The warps' accesses up to the next barrier follow, one warp's after the other's: they ran together.
  void begin_interval() { ++interval_; }

  /// A load of some sectors (bits 0 to 3) of a 128-byte line; returns those that were here. All are
  /// afterwards. `under_way`: what was here another warp has asked for just now, so that this one waits too.
  std::uint32_t load(std::uint32_t line, std::uint32_t sectors, std::uint32_t warp, bool& under_way) {
    const std::uint32_t set = (line * 0x9e3779b1u) >> 24;
    used_[set / 64] |= std::uint64_t{1} << set % 64;
    Way* const ways = sets_[set];
    std::uint32_t at = 0;
    while (at < kWays - 1 && ways[at].line != line) ++at;
    if (at != 0) {  // the latest one first
      const Way found = ways[at];
      std::move_backward(ways, ways + at, ways + at + 1);
      ways[0] = found;
    }
    Way& way = ways[0];
    if (way.line != line) way = {line};
    std::uint32_t hits = way.sectors & sectors;
    if (way.meeting != meeting_) {
      way.meeting = meeting_;
      hits = way.sectors = 0;
    }
    if (way.block != block_) {
      way.block = block_;
      ++way.blocks;
      if (way.blocks <= kEverywhere) hits = way.sectors = 0;
    }
    const std::uint32_t self = 1u << warp;
    if (hits != sectors) {
      way.interval = interval_;
      way.waited = self;
    } else if (way.interval == interval_ && (way.waited & self) == 0) {
      under_way = true;
      way.waited |= self;
    }
    way.sectors |= sectors;
    return hits;
  }

 private:
  // 128 KiB: half of an SM's, for the other half is shared memory or other blocks'.
  static constexpr std::uint32_t kSets = 256, kWays = 4;
  // So many blocks later one of them has run on each of the SMs of a large GPU.
  static constexpr std::uint32_t kEverywhere = 132;
  struct Way {
    std::uint32_t line = ~0u, block = 0;
    std::uint32_t blocks = 0;  ///< that loaded of the line since it is here
    std::uint32_t sectors = 0, meeting = 0;
    std::uint32_t interval = 0,
                  waited = 0;  ///< when it last came, and the warps that have waited for it then
  };
  Way sets_[kSets][kWays];
  std::uint64_t used_[kSets / 64] = {};  ///< sets in which something is
  std::uint32_t block_ = 1, interval_ = 1, meeting_ = 0;
};

/// Which sectors the blocks counted so far have loaded: what one of them misses comes from DRAM the first
/// time and from the L2 from then on. 8 MiB of it: a block of another kind comes back to its data sooner.
class FirstTouches {
 public:
  FirstTouches() { std::memset(lines_, 0xff, sizeof lines_); }
  /// As dear as what was seen.
  void clear() {
    for (std::uint32_t w = 0; w < std::size(used_); ++w)
      for (std::uint64_t rest = std::exchange(used_[w], 0); rest != 0; rest &= rest - 1) {
        const std::uint32_t part = w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(rest));
        std::memset(lines_ + part * kPart, 0xff, kPart * sizeof *lines_);
      }
  }
  /// Some sectors (bits 0 to 3) of a 128-byte line; whether all of them have been here before. All have
  /// afterwards.
  bool seen(std::uint32_t line, std::uint32_t sectors) {
    const std::uint32_t place = (line * 0x9e3779b1u) >> 16;
    used_[place / (64 * kPart)] |= std::uint64_t{1} << place / kPart % 64;
    std::uint32_t& kept = lines_[place];
    if (kept >> 4 != (line & kLineBits)) kept = line << 4;
    const bool all = (kept & sectors) == sectors;
    kept |= sectors;
    return all;
  }

 private:
  static constexpr std::uint32_t kLineBits = (1u << 28) - 1;
  static constexpr std::uint32_t kLines = 1u << 16, kPart = 64;
  std::uint32_t lines_[kLines];
  std::uint64_t used_[kLines / kPart / 64] = {};  ///< parts in which something is, as bits
};

}  // namespace workbook::sim
