// The modelled clock: from what a launch did to the time a GPU would take for it. A roofline with five roofs
// (DRAM, L2, load/store units, arithmetic, latency) and a launch overhead; its error against recorded H200
// runs is printed by harness/gpu/check.sh and stated in the book.
#pragma once

#include "gpus.h"
#include "runs/record.h"

namespace workbook::sim {

/// The constants that no datasheet gives, fitted to recorded H200 runs and assumed alike on the other GPUs.
struct ModelConstants {
  double launch_us = 1.9;             ///< a kernel that does nothing, back to back in a CUDA graph
  double dram_efficiency = 0.89;      ///< of the datasheet: measured copy on an H200, 4.27 of 4.8 TB/s
  double l2_bytes_per_clock = 42.0;   ///< for each SM
  double l1_sectors_per_clock = 4.0;  ///< for each SM: 128 bytes
  double arithmetic_efficiency = 0.6; ///< of the datasheet, for plain loops without hand-tuned register tiles
  double barrier_clocks = 30.0;
  double access_clocks = 8.0;         ///< of one warp's access that others do not hide, on average
};

/// The time of one launch. `shared_bytes` static and dynamic, a block.
runs::ModelledTime model_time(const GpuSpec& gpu, const runs::LaunchRecord& launch, const ModelConstants& constants = {});

}  // namespace workbook::sim
