// A set of numbers from 0 on that only grows until it is cleared: which sectors a block has loaded.
#pragma once

#include <cstdint>
#include <vector>

namespace workbook::opt {

class SectorSet {
 public:
  /// Whether it was not there.
  bool insert(std::int64_t number) {
    if (2 * size_ >= places_.size()) grow();
    if (!put(number)) return false;
    ++size_;
    return true;
  }
  void clear() {
    places_.assign(places_.size(), kFree);
    size_ = 0;
  }

 private:
  static constexpr std::int64_t kFree = -1;

  bool put(std::int64_t number) {
    std::size_t at = static_cast<std::size_t>(static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15u >> 20);
    for (;; ++at) {
      std::int64_t& place = places_[at & (places_.size() - 1)];
      if (place == number) return false;
      if (place != kFree) continue;
      place = number;
      return true;
    }
  }
  void grow() {
    std::vector<std::int64_t> old(places_.empty() ? 256 : 2 * places_.size(), kFree);
    old.swap(places_);
    for (const std::int64_t number : old)
      if (number != kFree) put(number);
  }

  std::vector<std::int64_t> places_;  ///< a power of two
  std::size_t size_ = 0;
};

}  // namespace workbook::opt
