// What tensor cores do with the tiles that a warp's lanes hold together.
#pragma once

#include "attributes.h"

namespace workbook::sim {

/// sums += a b, every sum in the order of k. Two variables of 16 bytes hold several sums of a row: the
/// machine adds to all of them at once.
template <class Sum, int kM, int kN, int kK>
WORKBOOK_SIM_UNTRACED_INLINE void add_products(Sum (&sums)[kM][kN], const Sum (&a)[kM][kK],
                                               const Sum (&b)[kK][kN]) {
  typedef Sum Several __attribute__((vector_size(16), aligned(sizeof(Sum)), may_alias));
  constexpr int kSeveral = 16 / sizeof(Sum);
  static_assert(kN % (2 * kSeveral) == 0);
  for (int row = 0; row < kM; ++row)
    for (int column = 0; column < kN; column += 2 * kSeveral) {
      auto* const out = reinterpret_cast<Several*>(&sums[row][column]);
      Several left = out[0], right = out[1];
      for (int k = 0; k < kK; ++k) {
        const auto* const in = reinterpret_cast<const Several*>(&b[k][column]);
        left += a[row][k] * in[0];
        right += a[row][k] * in[1];
      }
      out[0] = left, out[1] = right;
    }
}

}  // namespace workbook::sim
