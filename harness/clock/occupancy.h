// How many blocks of a kernel fit on one streaming multiprocessor at a time: what cudaOccupancy* answers,
// what limits a cooperative launch, and what the modelled clock takes for its waves.
#pragma once

#include <cstddef>

#include "gpus.h"

namespace workbook::sim {

/// What one block takes of a multiprocessor.
struct BlockNeeds {
  unsigned threads = 1;
  std::size_t shared_bytes = 0;       ///< static and dynamic
  int registers = kAssumedRegisters;  ///< a thread

  /// A compiler for CPUs cannot say how many registers nvcc would use. 32 lets every GPU of the table hold as
  /// many threads as it can: the estimate never limits. __launch_bounds__ may promise fewer threads.
  static constexpr int kAssumedRegisters = 32;
};

struct Residency {
  int blocks = 0;     ///< a multiprocessor; 0: the block fits on none
  const char* limit;  ///< "threads", "blocks", "shared memory" or "registers"
};

/// Sources: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" (threads, blocks,
/// shared memory, registers); "Shared Memory" sections of the compute capabilities (1 KiB a block is the
/// system's from 8.0 on); the occupancy calculator of Nsight Compute (units in which registers, 256 a warp,
/// and shared memory, 128 bytes or from 7.x on 256, are given out).
Residency blocks_per_sm(const GpuSpec& gpu, const BlockNeeds& needs);

/// The largest dynamic shared memory with which `blocks` blocks still fit on a multiprocessor.
std::size_t shared_bytes_for(const GpuSpec& gpu, int blocks, std::size_t static_bytes);

}  // namespace workbook::sim
