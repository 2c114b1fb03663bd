// A call of a library as the device sees it: a kernel that reads and writes memory, checked like any other,
// counted as a launch, and put on the modelled clock.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/libraries/scalar.h"
#include "sim/runtime/streams.h"

namespace workbook::sim {

/// A factor, and what it stands before: that is read where the factor is not 0.
struct Scaled {
  Scalar by;
  std::vector<Range> reads = {};
};

struct LibraryLaunch {
  Call call;  ///< its `api` is the launch's name: "cublasSgemm"
  std::vector<Range> reads, writes;
  std::vector<Scaled> scaled;     ///< read beside `reads`
  std::vector<Range> lists = {};  ///< of pointers in device memory, which are followed when the work runs:
  std::function<void(LibraryLaunch&)> follow = {};  ///< adds what they lead to
  double flops = 0;                                 ///< a fused multiply-add counted as two
  double peak_tflops = 0;                           ///< of the units that do them; 0: they do not matter
  runs::Dim3 grid;  ///< blocks of 256 threads that a GPU's kernel would have, about
  std::function<void()> compute;
};

/// Runs it on the stream, or records it. Memory that is not the device's, not allocated, or too small: a
/// finding at the call's line and cudaErrorIllegalAddress, nothing is computed. Memory that nothing has
/// written: a finding, and it is computed all the same.
cudaError_t run_library(cudaStream_t stream, const LibraryLaunch& launch);

}  // namespace workbook::sim
