#include "optimizer/algebra/field.h"

#include <stdexcept>

namespace workbook::opt {
namespace {

constexpr std::uint32_t kQ[Field::kPairs] = {1'073'740'571, 1'073'740'463, 1'073'740'163, 1'073'739'911};
constexpr std::uint32_t kTable = 65'536;
constexpr std::uint32_t kBase = 4;  // a square and not 1, so of order q

}  // namespace

std::uint32_t Modulus::power(std::uint32_t base, std::uint64_t exponent) const {
  std::uint32_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = mul(result, base);
    base = mul(base, base);
  }
  return result;
}

std::uint32_t Modulus::inverse(std::uint32_t a) const {
  // Euclid: some 20 divisions, where the power takes 60 products.
  std::int64_t r0 = prime_, r1 = a, t0 = 0, t1 = 1;
  while (r1 != 0) {
    const std::int64_t quotient = r0 / r1;
    const std::int64_t r2 = r0 - quotient * r1, t2 = t0 - quotient * t1;
    r0 = r1, r1 = r2, t0 = t1, t1 = t2;
  }
  if (a == 0) return 0;
  return static_cast<std::uint32_t>(t0 < 0 ? t0 + prime_ : t0);
}

Field::Field(int pair)
    : p_(2 * kQ[pair % kPairs] + 1), q_(kQ[pair % kPairs]), low_(kTable), high_(kTable / 4) {
  low_[0] = high_[0] = 1;
  for (std::uint32_t i = 1; i < kTable; ++i) low_[i] = p_.mul(low_[i - 1], kBase);
  const std::uint32_t step = p_.mul(low_[kTable - 1], kBase);
  for (std::uint32_t i = 1; i < kTable / 4; ++i) high_[i] = p_.mul(high_[i - 1], step);
}

Element Field::whole(std::int64_t number) const {
  const auto part = [&](const Modulus& modulus) {
    const std::int64_t prime = modulus.prime();
    return static_cast<std::uint32_t>((number % prime + prime) % prime);
  };
  return {part(p_), part(q_)};
}

Element Field::drawn(std::uint64_t key) const {
  // As many bits as the prime has; again where they are no element, so that none is favoured.
  const auto part = [&](const Modulus& modulus, std::uint64_t stream, int bits_left_out) {
    for (std::uint64_t attempt = 0;; ++attempt) {
      const std::uint64_t bits = mixed(key, stream + 2 * attempt) >> bits_left_out;
      if (bits < modulus.prime()) return static_cast<std::uint32_t>(bits);
    }
  };
  return {part(p_, 1, 33), part(q_, 2, 34)};
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size();
  for (const char c : text) hash = mixed(hash, static_cast<unsigned char>(c));
  return hash;
}

}  // namespace workbook::opt
