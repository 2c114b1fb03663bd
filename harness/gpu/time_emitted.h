// Timing what `workbook optimize` wrote: all that a program of opt::emit_timing does not say itself. By the
// protocol of benchmark.h, at the real shape.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "workbook/run.h"

namespace workbook::gpu {

/// What the launches take; inputs are filled, all else is poisoned.
struct EmittedTensor {
  std::string_view name;
  Type type = Type::f32;
  bool input = false;
  std::size_t elements = 0;
};

/// Throws core::LaunchFailed with the runtime's words.
void require_launched(cudaError_t error);

/// The program's main: TIMES, a file that becomes {"cold_us": [one a round], "note": "why there are none, or
/// empty"}. Ends with 0 when it was written, 2 without a file, 5 with a sentence on stderr, 77 where there is
/// no GPU.
int time_emitted(int argc, char** argv, void (*launches)(Run&), const std::vector<EmittedTensor>& tensors);

}  // namespace workbook::gpu
