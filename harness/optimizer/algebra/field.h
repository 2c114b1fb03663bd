// Two finite fields in which graphs are compared exactly. q and p = 2q + 1 are primes, both 3 modulo 4. An
// element is a pair (modulo p, modulo q); exp maps x modulo q to w^x modulo p, w of order q, so that
// exp(x + y) = exp(x) exp(y), and loses the part modulo q. What is true of real numbers by the laws of
// arithmetic is true here; what is not true is rarely true of random elements (verify.h says how rarely).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace workbook::opt {

struct Element {
  std::uint32_t p = 0, q = 0;
  bool operator==(const Element&) const = default;
};

/// A prime and what division by it needs; products of two elements fit 64 bits.
class Modulus {
 public:
  constexpr explicit Modulus(std::uint32_t prime) : prime_(prime), reciprocal_(~0ull / prime) {}

  constexpr std::uint32_t prime() const { return prime_; }
  std::uint32_t reduce(std::uint64_t value) const {
    __extension__ using Wide = unsigned __int128;
    std::uint64_t rest = value - static_cast<std::uint64_t>(Wide(value) * reciprocal_ >> 64) * prime_;
    while (rest >= prime_) rest -= prime_;  // at most twice: the reciprocal is rounded down
    return static_cast<std::uint32_t>(rest);
  }
  std::uint32_t add(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t sum = a + b;  // below 2^32
    return sum >= prime_ ? sum - prime_ : sum;
  }
  std::uint32_t sub(std::uint32_t a, std::uint32_t b) const { return a >= b ? a - b : a + prime_ - b; }
  std::uint32_t mul(std::uint32_t a, std::uint32_t b) const { return reduce(std::uint64_t{a} * b); }
  std::uint32_t power(std::uint32_t base, std::uint64_t exponent) const;
  std::uint32_t inverse(std::uint32_t a) const;  ///< 0 of 0; whoever divides looks for zeros
  /// The root that is a square itself, of a square; of any other element some element.
  std::uint32_t root(std::uint32_t a) const { return power(a, (std::uint64_t{prime_} + 1) / 4); }
  bool square(std::uint32_t a) const { return power(a, (prime_ - 1) / 2) <= 1; }

 private:
  std::uint32_t prime_;
  std::uint64_t reciprocal_;
};

/// One of four pairs of primes, with the powers of one w^1 in two tables. A draw takes w^k for its w.
class Field {
 public:
  static constexpr int kPairs = 4;
  explicit Field(int pair = 0);

  const Modulus& p() const { return p_; }
  const Modulus& q() const { return q_; }
  /// (w^k)^x, x modulo q.
  std::uint32_t exp(std::uint32_t x, std::uint32_t k) const {
    const std::uint32_t e = q_.mul(x, k);
    return p_.mul(low_[e & 0xffff], high_[e >> 16]);
  }
  Element whole(std::int64_t number) const;

  /// The element that the key stands for, uniform in both parts.
  Element drawn(std::uint64_t key) const;

 private:
  Modulus p_, q_;
  std::vector<std::uint32_t> low_, high_;
};

/// Mixes two numbers into one, each bit of which depends on all: the counter generator behind every draw, and
/// the hash of values.
constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15ull + b + 0x632be59bd9b4e019ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}
std::uint64_t hash_of(std::string_view text);

}  // namespace workbook::opt
