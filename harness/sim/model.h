// The modelled clock: from what a launch did to the time a GPU would take for it with cold caches. A roofline
// with six roofs (memory, block dispatch, L2, load/store units, arithmetic, latency) and a fixed cost; its
// error against recorded H200 runs is printed by harness/gpu/check.sh and stated in the book.
#pragma once

#include <vector>

#include "gpus.h"
#include "runs/record.h"

namespace workbook::sim {

/// What no datasheet gives: measured on an H200 (harness/gpu/probe.cu) or fitted to recorded runs there, and
/// assumed alike on the other GPUs.
struct ModelConstants {
  double launch_us = 0.55;       ///< measured: an empty kernel, back to back in a CUDA graph
  double first_touch_us = 0.95;  ///< fitted: code, arguments and the first data come from DRAM
  double dispatch_clocks =
      1.21;  ///< measured: one block after another, 0.61 ns (an empty kernel of 32768 blocks)
  double dram_efficiency = 0.89;        ///< measured: a copy moves 4.22 of 4.8 TB/s
  double dram_latency_clocks = 692;     ///< measured: pointer chase
  double l2_bytes_per_clock = 30.6;     ///< measured, for each SM: 8.0 TB/s
  double global_request_clocks = 1.34;  ///< fitted: one warp's request that the L1 answers, for each SM
  double l1_sectors_per_clock = 4.0;    ///< 128 bytes, from the whitepapers
  double shared_pass_clocks = 0.9;      ///< fitted: below 1, for the compiler merges neighbouring loads
  double arithmetic_efficiency = 0.6;   ///< fitted: plain loops, without hand-tuned register tiles
  double barrier_clocks = 29;           ///< measured, a block of 256 threads
  double warp_operation_clocks = 12;    ///< fitted: a shuffle takes 24, and independent ones overlap
  double l2_keeps = 0.8;      ///< assumed until fitted: of the L2's size, what a later launch finds there
  double access_clocks = 28;  ///< fitted: each access of a warp that nothing hides; an L1 hit takes 39
};

/// The time of one launch on its own. `l2_hit_bytes`: of what it reads first from DRAM, what lies in the L2
/// already.
runs::ModelledTime model_time(const GpuSpec& gpu, const runs::LaunchRecord& launch,
                              const ModelConstants& constants = {}, double l2_hit_bytes = 0.0);

/// Launches one after another: what one leaves in the L2, the next need not fetch. Starts with cold caches.
class LaunchSequence {
 public:
  explicit LaunchSequence(const GpuSpec& gpu, const ModelConstants& constants = {})
      : gpu_(gpu), constants_(constants) {}
  runs::ModelledTime next(const runs::LaunchRecord& launch);

 private:
  struct Resident {
    int tensor;
    double bytes;
  };
  const GpuSpec& gpu_;
  ModelConstants constants_;
  std::vector<Resident> recent_;  ///< tensors, latest touched last
};

}  // namespace workbook::sim
