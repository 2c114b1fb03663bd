// Numbers for inputs: SplitMix64 (Steele, Lea, Flood 2014), the same with every compiler and library, unlike
// <random>'s distributions.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace workbook {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// From 0 to below 1.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  /// Mean 0, deviation 1: Box-Muller, one of the pair.
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

  /// From `low` to `high`, both included.
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    const auto span = static_cast<double>(high - low + 1);
    return low + static_cast<std::int64_t>(uniform() * span);
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }

  std::uint64_t state_;
};

}  // namespace workbook
