// Path turned: elementwise, where what is read ends in another index than what is written. A block takes a
// square tile of both indices: it reads rows of the one in packs of 16 bytes into shared memory, and writes
// rows of the other one, in packs, too.
#pragma once

#include "optimizer/launch/form.h"
#include "optimizer/plan/places.h"

namespace workbook::opt {

struct TurnedShape {
  int in = -1, out = -1;            ///< the last index of what is turned, and of what is written
  std::vector<int> batch;           ///< the others: of each one element a block
  std::vector<int> turned;          ///< read by way of shared memory
  std::vector<int> packs, singles;  ///< read as it is written; one element for all of a pack
  std::vector<int> made;            ///< looked up or computed, element by element
  int vector = 8;                   ///< elements of a pack
  int tile = 64, threads = 256;     ///< elements of a side

  int packs_of_row() const { return tile / vector; }
  /// Packs of a thread, of each tensor.
  int turns() const { return tile * packs_of_row() / threads; }
  /// Rows lie apart by one more: neither rows nor columns meet in one bank.
  int stride() const { return tile + 1; }
  std::int64_t bytes() const { return std::int64_t{4} * static_cast<int>(turned.size()) * tile * stride(); }
};

/// Nothing where the launch has anything that the path does not cover, or cuts that it does not have.
std::optional<TurnedShape> turned_shape(const Program& program, const Plan& plan, const Launch& launch,
                                        const Kernel& kernel);
/// The same but for cuts, so that they can be chosen.
std::optional<TurnedShape> turned_indices(const Program& program, const Plan& plan, const Launch& launch,
                                          const Kernel& kernel);

const Form& turned_form();
CutsOf try_turned_cuts;
CounterOf turned_counter;
EmitterOf turned_emitter;

}  // namespace workbook::opt
