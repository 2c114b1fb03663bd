// A map from numbers to small values that only grows: what a search asks for at every candidate. One place in
// memory a question, where std::unordered_map goes from bucket to node.
#pragma once

#include <cstdint>
#include <vector>

namespace workbook::opt {

/// Of keys all but ~0.
template <class Value>
class NumberMap {
 public:
  /// Null where there is none; valid until the next `add`.
  const Value* find(std::uint64_t key) const {
    if (places_.empty()) return nullptr;
    const Place& place = places_[slot_of(key)];
    return place.key == key ? &place.value : nullptr;
  }
  /// Of a key that is not there.
  void add(std::uint64_t key, Value value) {
    if (2 * size_ >= places_.size()) grow();
    places_[slot_of(key)] = {key, value};
    ++size_;
  }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  struct Place {
    std::uint64_t key = kFree;
    Value value{};
  };

  /// Where the key is, or would be.
  std::size_t slot_of(std::uint64_t key) const {
    std::uint64_t hash = key * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
    for (std::size_t at = hash;; ++at) {
      const std::size_t slot = at & (places_.size() - 1);
      if (places_[slot].key == key || places_[slot].key == kFree) return slot;
    }
  }
  void grow() {
    std::vector<Place> old(places_.empty() ? 1024 : 2 * places_.size());
    old.swap(places_);
    for (const Place& place : old)
      if (place.key != kFree) places_[slot_of(place.key)] = place;
  }

  std::vector<Place> places_;  ///< a power of two
  std::size_t size_ = 0;
};

}  // namespace workbook::opt
