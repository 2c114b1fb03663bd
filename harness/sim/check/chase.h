// Which loads cannot begin before another one has come back, because that brings their index: `i = next[i]`.
// For the access log, which takes other loads of a loop to be under way together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "access_match.h"

namespace workbook::sim {

/// Remembers of the latest loads where the same line would load next, were their values indices. Looks at the
/// first lane of a request, and at whole words of global memory, as they are when the log is read.
class Chase {
 public:
  void forget() {
    noted_ = 0, since_ = kMost;
    std::fill(std::begin(noted_at_), std::end(noted_at_), std::uint8_t{0});
  }
  /// The loads so far have come back.
  void arrived() { ++group_; }
  enum class Index { is_not_loaded, has_arrived, is_under_way };
  /// Where the index of this load, at a word of the arena, comes from. Takes note of the load.
  Index see(Place place, std::uint32_t word);
  /// A loop goes on by such loads: one of the latest was of that kind.
  bool under_way() const { return since_ < kMost; }

 private:
  static constexpr std::uint32_t kMost = 64;
  struct Next {
    std::uint32_t place = 0, word = 0, group = 0;
  };
  Next next_[kMost];
  // How many of these have a number in common, which a load of another number cannot be among.
  static constexpr std::uint32_t kNumbers = 256;
  static std::uint32_t number_of(std::uint32_t place, std::uint32_t word) {
    return (place * 0x9e3779b1u ^ word * 0x85ebca77u) >> 24;
  }
  std::uint8_t noted_at_[kNumbers] = {};
  std::uint32_t noted_ = 0, group_ = 0;
  std::uint32_t since_ = kMost;  ///< loads since the last whose index was loaded
};

}  // namespace workbook::sim
