// Path gemv: a vector against a matrix, for each element of the batch indices: what a launch has to be, and
// how its matrix is read. It streams by 16 bytes a lane, all on their way before the first is waited for, and
// the vector, as float in shared memory, is put together meanwhile, of its parts where it lies in such.
#pragma once

#include "optimizer/launch/form.h"
#include "optimizer/plan/places.h"

namespace workbook::opt {

inline constexpr int kVectorPad = 4;

struct GemvShape {
  /// Indices of vector and result, and of the matrix, or of few elements: of each one element a block.
  std::vector<int> batch;
  int out = -1, over = -1;                     ///< that of the result, and the one that is summed away
  int product = -1, vector = -1, matrix = -1;  ///< no vector: the product is a sum, as if it held ones
  bool by_rows = false;                        ///< the matrix ends in [out, over], else in [over, out]
  std::vector<int> behind;                     ///< elementwise nodes of the product
  std::vector<int> numbers, reads;  ///< what these read from global memory: once a block, once an element
  std::vector<int> axes;            ///< of the grid, most blocks first
  int tile = 0, width = 0;          ///< of `out` in a block; of `over`, whole, a power of 2
  int threads = 0;

  /// Lanes beside each other that share a row of the matrix, eight elements each; and whole rows of a turn.
  int lanes() const { return by_rows ? std::min(32, width / 8) : tile / 8; }
  int rows() const { return threads / lanes(); }
  /// The vector in shared memory: where lanes take eight neighbours each, these lie apart, in other banks.
  int held() const { return by_rows ? width + 8 * kVectorPad : width; }
  int place_of(int i) const { return by_rows ? i % 8 * (width / 8 + kVectorPad) + i / 8 : i; }
  /// Rows of a thread, and how often it loads eight elements of each.
  int turns() const { return (by_rows ? tile : width) / rows(); }
  int pieces() const { return by_rows ? width / 8 / lanes() : 1; }
};

/// Nothing where the launch has anything that the path does not cover, or tiles that it does not have.
std::optional<GemvShape> gemv_shape(const Program& program, const Plan& plan, const Launch& launch,
                                    const Kernel& kernel);
/// The same but for its tiles, so that they can be chosen.
std::optional<GemvShape> gemv_indices(const Program& program, const Plan& plan, const Launch& launch,
                                      const Kernel& kernel);

const Form& gemv_form();
CutsOf try_gemv_cuts;
CounterOf gemv_counter;
EmitterOf gemv_emitter;

}  // namespace workbook::opt
