// Which GPU a run uses, and why none may be fit for it.
#pragma once

#include <string>

namespace workbook::gpu {

struct Device {
  int ordinal = 0;
  std::string name;    ///< "NVIDIA H200"
  int capability = 0;  ///< 90 for compute capability 9.0
  std::size_t memory_bytes = 0;
};

/// The first GPU that this toolkit can build for (compute capability 7.5, Turing, or newer), made current.
/// Throws core::NoDevice with what was found instead.
Device choose_device();

}  // namespace workbook::gpu
