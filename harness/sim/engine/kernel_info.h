// What is known of a kernel by its address: name, static shared memory, launch bounds.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "workbook_sim/launch.h"

namespace workbook::sim {

struct KernelInfo {
  std::string name;               ///< "ns::scale<float>"; empty: no function of the program
  std::size_t static_shared = 0;  ///< bytes a block
  int max_threads = 1024;         ///< __launch_bounds__, or the GPU's
  int registers = 32;             ///< a thread: estimated, fewer where __launch_bounds__ promises more blocks
  std::optional<std::size_t>
      dynamic_asked;            ///< bytes: cudaFuncAttributeMaxDynamicSharedMemorySize, where set
  bool large_clusters = false;  ///< more than 8 blocks: cudaFuncSetAttribute allowed it

  /// The most dynamic shared memory of a launch, in bytes: what cudaFuncSetAttribute said; without it static
  /// and dynamic have 48 KiB together (CUDA C++ Programming Guide, 20.8.3).
  std::size_t dynamic_limit() const {
    constexpr std::size_t kUnasked = 48 * 1024;
    return dynamic_asked.value_or(kUnasked - (static_shared < kUnasked ? static_shared : kUnasked));
  }
};

/// The entry of one kernel; it stays where it is.
KernelInfo& kernel_info(const void* function);
/// What holds for a launch: by the kernel's address, or where only its name is known, by that.
KernelInfo kernel_info(const BoundKernel& kernel);

/// Static shared memory that the kernel of this name declares.
std::size_t static_shared_of(const std::string& kernel);

}  // namespace workbook::sim
