// What tensor cores do with the tiles that a warp's lanes hold together.
#pragma once

#include "attributes.h"

namespace workbook::sim {

/// sums += a b, every sum in the order of k. Two variables of 16 bytes hold several sums of a row: the
/// machine adds to all of them at once.
template <class Sum, int kM, int kN, int kK>
WORKBOOK_SIM_UNTRACED_INLINE void add_products(Sum (&sums)[kM][kN], const Sum (&a)[kM][kK],
                                               const Sum (&b)[kK][kN]) {
  typedef Sum Several __attribute__((vector_size(16)));
  constexpr int kSeveral = 16 / sizeof(Sum);
  static_assert(kN % (2 * kSeveral) == 0);
  for (int row = 0; row < kM; ++row)
    for (int column = 0; column < kN; column += 2 * kSeveral) {
      // Copied: a row begins where its elements may, not at multiples of 16 bytes.
      Several left, right;
      __builtin_memcpy(&left, &sums[row][column], sizeof left);
      __builtin_memcpy(&right, &sums[row][column + kSeveral], sizeof right);
      for (int k = 0; k < kK; ++k) {
        Several one, next;
        __builtin_memcpy(&one, &b[k][column], sizeof one);
        __builtin_memcpy(&next, &b[k][column + kSeveral], sizeof next);
        left += a[row][k] * one;
        right += a[row][k] * next;
      }
      __builtin_memcpy(&sums[row][column], &left, sizeof left);
      __builtin_memcpy(&sums[row][column + kSeveral], &right, sizeof right);
    }
}

}  // namespace workbook::sim
