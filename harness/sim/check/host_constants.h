// Constants of the host's that a launch is given the address of, by themselves or in a struct: texts and
// `const` arrays. They lie in the program like those of kernels, which every kernel may read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/engine/engine.h"

namespace workbook::sim {

class HostConstants {
 public:
  static HostConstants& get();

  /// Looks at the arguments, before any block runs.
  void begin_launch(const Launch& launch);
  /// Whether `address` is in one of the launch's.
  bool contains(std::uintptr_t address) const;

 private:
  struct Constant {
    std::uintptr_t begin;
    std::size_t bytes;  ///< up to a zero: how long an array is that is no text, nobody knows
  };
  std::vector<Constant> all_;
};

}  // namespace workbook::sim
