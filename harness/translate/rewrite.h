// Turns CUDA's own syntax into C++ that the simulator's headers understand.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "execution_space.h"
#include "kernel_index.h"
#include "two_spaces.h"

namespace workbook::sim {

struct RewriteError : std::runtime_error {
  RewriteError(int line_, const std::string& what) : std::runtime_error(what), line(line_) {}
  int line;
};

class Rewriter {
 public:
  /// Learns what a file declares: every file of a program, before the first is rewritten.
  void learn(std::string_view source, bool is_header = false);

  void follow_unset() { follows_unset_ = true; }

  /// `source` with each line break where it was, comments and strings left alone, and
  /// - `kernel<<<grid, block, shared, stream>>>(args)` as a call of WORKBOOK_SIM_KERNEL (kernel_call.h), in
  ///   macros too;
  /// - kernels given to cudaLaunchKernel and its kin without their casts to void*, and kernels that are cast
  ///   to it anywhere else made known to the runtime;
  /// - __CUDA_ARCH__ in device code as the architecture that is simulated; in what both may run, parts for
  /// one
  ///   side are chosen when they run, where they can be (both_sides.h);
  /// - in device code `A<T>::f<int>(x)` with the word `template`, without which nvcc takes it, too;
  /// - __CUDACC__ in conditions as a macro of the simulator's own, which headers of others do not know;
  /// - inline PTX as calls where the simulator has the instruction (ptx.h), else as an error where the
  ///   compiler meets it;
  /// - __builtin_memcpy and its kin as memcpy, whose calls are traced;
  /// - what CUDA allows in a `__shared__` declaration and thread_local does not;
  /// - shifts and casts in device code, with a GPU's results (arithmetic.h);
  /// - what the host's code says of the device's variables and functions (two_spaces.h);
  /// - where follow_unset() asked for it, variables of device code without a value (unset_locals.h).
  /// Throws RewriteError for a launch that cannot be read.
  std::string rewrite(std::string_view source) const;

 private:
  KernelIndex kernels_;
  DeviceWords words_;
  DeviceNames names_;
  bool follows_unset_ = false;
};

/// A file that is a program of its own.
std::string rewrite_launches(std::string_view source);

}  // namespace workbook::sim
