// Path row: a block takes a row of the output, or a piece of one over which nothing is summed, and holds it
// in registers, from one read to one write.
#pragma once

#include "optimizer/launch/form.h"
#include "optimizer/plan/places.h"

namespace workbook::opt {

/// Of path row: the index of a row, and how it is cut among the threads.
struct RowShape {
  int index = -1;
  std::vector<int> rows;   ///< the other indices of what is as large as the output
  int vector = 1;          ///< elements of one load
  int threads = 32;        ///< of a row
  std::int64_t packs = 1;  ///< loads a thread, of a row of the real size
  bool in_pieces = false;  ///< a block takes a piece of a row, over which nothing is summed
  bool sums = false;       ///< over the row
  /// Elements that a block takes.
  std::int64_t piece() const { return packs * vector * threads; }
};
/// Nothing where a launch has products, or tensors that do not end in the row's index.
std::optional<RowShape> row_shape(const Program& program, const Plan& plan, const Launch& launch,
                                  const Kernel& kernel);

const Form& row_form();
CutsOf try_row_cuts;
CounterOf row_counter;
EmitterOf row_emitter;

}  // namespace workbook::opt
