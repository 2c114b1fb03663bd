// What the generators of curand_kernel.h have in common.
#pragma once

namespace workbook::sim {

/// What Box-Muller made beside the number that was asked for.
struct SpareNormals {
  float single = 0;
  unsigned int launch = 0;  ///< the latest in which a thread has drawn from the state, for the engine
  double precise = 0;
  bool has_single = false, has_precise = false;
};

}  // namespace workbook::sim
