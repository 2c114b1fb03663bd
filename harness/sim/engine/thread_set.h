// A set of threads of one block, as bits: a barrier lets all of them go with a few word operations, where a
// queue would touch every thread's memory.
#pragma once

#include <cstdint>

namespace workbook::sim {

class ThreadSet {
 public:
  bool empty() const { return count_ == 0; }
  void clear() { *this = ThreadSet{}; }
  void insert(std::uint32_t thread) {
    words_[thread / 64] |= std::uint64_t{1} << thread % 64;
    ++count_;
  }
  void erase(std::uint32_t thread) {
    words_[thread / 64] &= ~(std::uint64_t{1} << thread % 64);
    --count_;
  }
  /// Moves all of `other`, which shares no thread with this set, into this one.
  void take_all(ThreadSet& other) {
    for (std::uint32_t w = 0; w < kWords; ++w) words_[w] |= other.words_[w];
    count_ += other.count_;
    other.clear();
  }
  /// Removes and returns the first thread from `from` on, going round; the set must not be empty.
  std::uint32_t take_from(std::uint32_t from) {
    std::uint32_t w = from / 64 % kWords;
    std::uint64_t word = words_[w] & ~std::uint64_t{0} << from % 64;
    while (word == 0) {
      w = (w + 1) % kWords;
      word = words_[w];
    }
    words_[w] &= ~(word & -word);
    --count_;
    return w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(word));
  }

 private:
  static constexpr std::uint32_t kWords = 16;
  std::uint64_t words_[kWords] = {};
  std::uint32_t count_ = 0;
};

}  // namespace workbook::sim
