// What counting has in common where tensor cores multiply: places of a fragment's elements, requests for
// shared memory of 2 to 16 bytes a lane.
#pragma once

#include "optimizer/launch/counter.h"
#include "optimizer/launch/tiles.h"

namespace workbook::opt {

/// Which element of a fragment is a lane's number `e`, and how far rows lie apart in memory: the layout of
/// mma's operands and sums, by which the simulator counts too. Of a right operand rows and columns change
/// places.
constexpr TilePlace element_of_fragment(std::int64_t lane, std::int64_t e) {
  const std::int64_t pack = e / 2;
  return {lane / 4 + 8 * (pack % 2), lane % 4 * 2 + e % 2 + 8 * (pack / 2)};
}
inline constexpr std::int64_t kFragmentElements = 8;  ///< of a lane

class FragmentCounter : public LaunchCounter {
 public:
  using LaunchCounter::LaunchCounter;

 protected:
  /// The element's place in a matrix with rows of `length`; -1 outside of `rows` and `columns`.
  struct Inside {
    std::int64_t rows, columns, length;
    std::int64_t place(TilePlace at) const {
      return at.row < rows && at.column < columns ? at.row * length + at.column : -1;
    }
  };

  /// Of `count` elements, `bytes` each, one a lane, at byte `address`: requests of a place in the program,
  /// one walked for all of them by weight_ * repeats. Returns their number. Accesses of 8 and 16 bytes go by
  /// halves and quarters of a warp, whose passes count on average.
  template <class Address>
  std::int64_t words(int node, runs::SiteKind kind, std::int64_t count, std::int64_t bytes, Address address,
                     std::int64_t repeats = 1) {
    runs::SiteCounters site;
    site.kind = kind;
    site.tensor = node;
    const std::int64_t wide = std::max<std::int64_t>(1, bytes / 4), together = kLanes / wide;
    for (std::int64_t first = 0; first < count; first += kLanes) {
      const std::int64_t end = std::min(count, first + kLanes);
      std::int64_t turns = 0, parts = 0;
      for (std::int64_t begin = first; begin < end; begin += together, ++parts) {
        Banks banks;
        for (std::int64_t i = begin; i < std::min(end, begin + together); ++i) {
          const std::int64_t word = address(i) / 4;
          for (std::int64_t of = 0; of < wide; ++of) banks.ask(word + of);
        }
        turns += banks.passes();
      }
      site.requests += weight_ * repeats;
      site.bank_passes += weight_ * repeats * divided(turns, parts);
      site.bytes += weight_ * repeats * bytes * (end - first);
    }
    counters_->sites.push_back(site);
    return divided(count, kLanes);
  }

  /// Loads of 16 x 16 elements by a warp, four words a lane.
  void words_of(int node, std::int64_t stride, std::int64_t repeats) {
    words(
        node, runs::SiteKind::shared_load, kLanes, 16,
        [&](std::int64_t lane) { return 2 * (lane % 16 * stride + lane / 16 * 8); }, repeats);
  }

  /// Of float, one by one or two neighbours at a time.
  void floats_of(int node, std::int64_t stride, bool neighbours, std::int64_t repeats) {
    for (std::int64_t e = 0; e < kFragmentElements; e += neighbours ? 2 : 1)
      words(
          node, runs::SiteKind::shared_load, kLanes, neighbours ? 8 : 4,
          [&](std::int64_t lane) {
            const TilePlace at = element_of_fragment(lane, e);
            return 4 * (neighbours ? at.row * stride + at.column : at.column * stride + at.row);
          },
          repeats);
  }

  /// What a thread takes that keeps so many words: with the rest, as compilers were seen to need, at most all
  /// there are.
  std::int64_t held_registers(std::int64_t words) const {
    return std::min<std::int64_t>({words + kWordsBesides, kMostWords, kWordsOfSm / threads_});
  }

  std::int64_t chained_ = 0;  ///< runs::LaunchCounters::chained_shared
};

}  // namespace workbook::opt
