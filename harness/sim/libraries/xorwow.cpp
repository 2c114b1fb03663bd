// Jumping ahead in XORWOW's sequence. One step of its five words is linear over GF(2): a matrix of 160 x 160
// bits, whose powers of two are kept. Nothing here is a template, so that nothing is traced when kernels call
// it.
#include <cstdint>
#include <cstring>

// In this namespace no thread is interrupted, so none waits for a table that another one of its block fills.
namespace workbook::sim {
namespace {

constexpr int kWords = 5, kBits = 32 * kWords;
constexpr int kPowers = 67 + 64;

struct Vector {
  std::uint32_t word[kWords];
};
/// Row i is what the step makes of the vector with bit i alone.
struct Matrix {
  Vector row[kBits];
};

Vector apply(const Matrix& m, const Vector& v) {
  Vector out{};
  for (int i = 0; i < kBits; ++i)
    if ((v.word[i / 32] >> (i % 32) & 1u) != 0)
      for (int w = 0; w < kWords; ++w) out.word[w] ^= m.row[i].word[w];
  return out;
}

Vector step(const Vector& v) {
  const std::uint32_t t = v.word[0] ^ (v.word[0] >> 2), last = v.word[4];
  return {{v.word[1], v.word[2], v.word[3], last, last ^ (last << 4) ^ t ^ (t << 1)}};
}

/// The step to the power 2^i for each i, made once.
const Matrix* powers() {
  static const Matrix* const all = [] {
    auto* m = new Matrix[kPowers];
    for (int i = 0; i < kBits; ++i) {
      Vector unit{};
      unit.word[i / 32] = 1u << (i % 32);
      m[0].row[i] = step(unit);
    }
    for (int p = 1; p < kPowers; ++p)
      for (int i = 0; i < kBits; ++i) m[p].row[i] = apply(m[p - 1], m[p - 1].row[i]);
    return m;
  }();
  return all;
}

}  // namespace
}  // namespace workbook::sim

extern "C" void workbook_sim_xorwow_jump(unsigned int* v, unsigned long long n, int shift) {
  using namespace workbook::sim;
  Vector state;
  std::memcpy(state.word, v, sizeof state.word);
  for (int bit = 0; bit < 64; ++bit)
    if ((n >> bit & 1u) != 0) state = apply(powers()[shift + bit], state);
  std::memcpy(v, state.word, sizeof state.word);
}
