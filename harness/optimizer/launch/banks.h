// The banks of shared memory while one request is served: how often the fullest is asked.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace workbook::opt {

class Banks {
 public:
  /// For a word of 4 bytes, by its number; at most 32 different ones are asked for. One that was asked for is
  /// not again.
  void ask(std::int64_t word) {
    std::uint8_t& newest = newest_[static_cast<std::size_t>(word % kBanks)];
    std::int64_t asked = 1;
    for (std::uint8_t at = newest; at != 0; at = before_[at], ++asked)
      if (words_[at] == word) return;
    words_[++size_] = word;
    before_[size_] = newest;
    newest = size_;
    passes_ = std::max(passes_, asked);
  }
  std::int64_t passes() const { return passes_; }

 private:
  static constexpr std::size_t kBanks = 32;

  std::array<std::uint8_t, kBanks> newest_{};  ///< of a bank: the place in words_; 0: none
  std::array<std::int64_t, kBanks + 1> words_;
  std::array<std::uint8_t, kBanks + 1> before_;  ///< in the same bank
  std::uint8_t size_ = 0;
  std::int64_t passes_ = 1;
};

}  // namespace workbook::opt
