// Jumping ahead in MRG32k3a: a step of each component is a matrix of 3 x 3 modulo a number below 2^32.
// Nothing here is a template, so that nothing is traced when kernels call it.
#include <cstdint>

namespace workbook::sim {
namespace {

struct Matrix {
  std::uint64_t at[3][3];
};

Matrix multiply(const Matrix& a, const Matrix& b, std::uint64_t modulus) {
  Matrix out{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) out.at[i][j] = (out.at[i][j] + a.at[i][k] * b.at[k][j] % modulus) % modulus;
  return out;
}

void jump(unsigned int* state, Matrix step, std::uint64_t modulus, unsigned long long n, int shift) {
  for (int i = 0; i < shift; ++i) step = multiply(step, step, modulus);
  for (; n != 0; n >>= 1) {
    if ((n & 1u) != 0) {
      std::uint64_t out[3] = {};
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) out[i] = (out[i] + step.at[i][k] * state[k] % modulus) % modulus;
      for (int i = 0; i < 3; ++i) state[i] = static_cast<unsigned int>(out[i]);
    }
    step = multiply(step, step, modulus);
  }
}

constexpr std::uint64_t kModulus1 = 4294967087, kModulus2 = 4294944443;

}  // namespace
}  // namespace workbook::sim

extern "C" void workbook_sim_mrg32k3a_jump(unsigned int* s1, unsigned int* s2, unsigned long long n,
                                           int shift) {
  using namespace workbook::sim;
  jump(s1, {{{0, 1, 0}, {0, 0, 1}, {kModulus1 - 810728, 1403580, 0}}}, kModulus1, n, shift);
  jump(s2, {{{0, 1, 0}, {0, 0, 1}, {kModulus2 - 1370589, 0, 527612}}}, kModulus2, n, shift);
}
