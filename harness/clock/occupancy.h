// How many blocks of a kernel fit on one streaming multiprocessor at a time: what cudaOccupancy* answers,
// what limits a cooperative launch, what the modelled clock takes for its waves, and what terminal and viewer
// show of a multiprocessor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpus.h"
#include "runs/record.h"

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
  int blocks = 0;          ///< a multiprocessor; 0: the block fits on none
  const char* limit = "";  ///< "threads", "blocks", "shared memory" or "registers"
};

/// Sources: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" (threads, blocks,
/// shared memory, registers); "Shared Memory" sections of the compute capabilities (1 KiB a block is the
/// system's from 8.0 on); the occupancy calculator of Nsight Compute (units in which registers, 256 a warp,
/// and shared memory, 128 bytes or from 7.x on 256, are given out).
Residency blocks_per_sm(const GpuSpec& gpu, const BlockNeeds& needs);

/// What the blocks of a launch take, as far as its record says.
BlockNeeds needs_of(const runs::LaunchRecord& launch);

/// One of the things that a multiprocessor shares out among its blocks.
struct Supply {
  const char* name;       ///< as Residency::limit has it
  std::int64_t there_is;  ///< that blocks can use
  std::int64_t a_block;   ///< what a block takes: rounded up to the pieces in which it is given out
  int blocks;             ///< as many as it is enough for
  bool known = true;      ///< false: of registers that nobody has counted
  /// With so many blocks resident, what the next one lacks; 0: nothing.
  std::int64_t lacking(int resident) const {
    const std::int64_t left = there_is - resident * a_block;
    return left < a_block ? a_block - left : 0;
  }
};

/// Threads, blocks, shared memory, registers: what is there for blocks that need this. Empty where such a
/// block fits on none.
struct Multiprocessor {
  Residency resident = {};
  int warps = 0, warp_slots = 0;  ///< of the resident blocks; in all
  int warps_a_block = 0;
  std::vector<Supply> supplies = {};
};
Multiprocessor multiprocessor(const GpuSpec& gpu, const runs::LaunchRecord& launch);

/// The largest dynamic shared memory with which `blocks` blocks still fit on a multiprocessor.
std::size_t shared_bytes_for(const GpuSpec& gpu, int blocks, std::size_t static_bytes);

}  // namespace workbook::sim
