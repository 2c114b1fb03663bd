// Path window: what each element of the result needs of others is few, as the taps of a convolution and the
// places of a pool are. A thread computes neighbours of the result, of several rows, goes over what is summed
// by itself, loop in loop, and shares nothing with others: what several of them read comes from the L1. Where
// nothing is summed this is for what several rows have in common, as rotary positions are those of all heads.
#pragma once

#include "optimizer/launch/form.h"
#include "optimizer/plan/places.h"

namespace workbook::opt {

/// What is read and computed under the same loops, in this order; of sums and maxima their loops stand where
/// they are computed.
struct WindowScope {
  int node = -1;                   ///< the sum or maximum whose loop this is; -1: no loop
  std::vector<int> reads;          ///< constants are none
  std::vector<int> nodes;          ///< computed
  std::vector<WindowScope> loops;  ///< of the sums and maxima among `nodes`, in their order
};

struct WindowShape {
  int lane = -1;          ///< the last index of all that is written
  std::vector<int> rows;  ///< the others, as they lie in memory
  int vector = 1;         ///< neighbours along `lane` that a thread has,
  int down = 1;           ///< of so many rows, one behind the other: what these have in common is read once
  int below = -1;         ///< the index of these rows, where there are several
  int threads = 256;
  WindowScope scope;

  /// Neighbours along `lane` are neighbours in memory; of a view they may begin anywhere.
  bool in_packs(const Plan& plan, int node, const std::vector<std::uint8_t>& dims) const;
};

/// Nothing where the launch has anything that the path does not cover, or cuts that it does not have.
std::optional<WindowShape> window_shape(const Program& program, const Plan& plan, const Launch& launch,
                                        const Kernel& kernel);

const Form& window_form();
CutsOf try_window_cuts;
CounterOf window_counter;
EmitterOf window_emitter;

}  // namespace workbook::opt
