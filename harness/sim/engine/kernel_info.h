// What is known of a kernel by its address: name, static shared memory, launch bounds.
#pragma once

#include <cstddef>
#include <string>

#include "workbook_sim/launch.h"

namespace workbook::sim {

struct KernelInfo {
  std::string name;               ///< "ns::scale<float>"; empty: no function of the program
  std::size_t static_shared = 0;  ///< bytes a block
  int max_threads = 1024;         ///< __launch_bounds__, or the GPU's
  int registers = 32;             ///< a thread: estimated, fewer where __launch_bounds__ promises more blocks
  std::size_t dynamic_limit = 48 * 1024;  ///< cudaFuncSetAttribute may raise it
  bool large_clusters = false;            ///< more than 8 blocks: cudaFuncSetAttribute allowed it
};

/// The entry of one kernel; it stays where it is.
KernelInfo& kernel_info(const void* function);
/// What holds for a launch: by the kernel's address, or where only its name is known, by that.
KernelInfo kernel_info(const BoundKernel& kernel);

/// Static shared memory that the kernel of this name declares.
std::size_t static_shared_of(const std::string& kernel);

}  // namespace workbook::sim
