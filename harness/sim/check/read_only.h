// Data that a launch may only read: what __ldg() and ld.global.nc load, and what a kernel's `const T*
// __restrict__` parameter points to, which nvcc may load the same way. The cache that they go through sees no
// store of the same launch.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scene.h"
#include "sim/source/source_idioms.h"

namespace workbook::sim {

/// Parameters of the launch's kernel that are `const` and `__restrict__` and point into an array into which
/// another one points, too: what is stored by that may be read by these.
class ReadOnlyParameters {
 public:
  void begin_launch(const Launch& launch);
  /// Whether there are any, so that see() is to be called.
  bool is_on() const { return !all_.empty(); }
  /// The running thread reads device memory at `offset` of the arena.
  void see(const Scene& scene, std::uint64_t offset, Pc pc) const;

 private:
  struct Parameter {
    std::string name;
    std::uint64_t begin, end;  ///< of the array
  };
  std::vector<Parameter> all_;
  std::map<const void*, std::vector<KernelParameter>> written_;  ///< of kernels that were asked for
};

}  // namespace workbook::sim
