// The modelled clock: from what a launch did to the time a GPU would take for it with cold caches. A roofline
// with five roofs (memory with dispatch and latency, L2, load/store units, arithmetic with tensor cores,
// atomics) and a fixed cost; its error against recorded H200 runs is printed by
// harness/bench/gpu/model_error.py and harness/gpu/check.sh, and stated in the book.
#pragma once

#include <vector>

#include "gpus.h"
#include "runs/record.h"

namespace workbook::sim {

/// What no datasheet gives: measured on an H200 (harness/gpu/probe.cu), or fitted to the recorded times of
/// the kernels in harness/bench/gpu/kernels and of the puzzles there (harness/bench/results/h200), and
/// assumed alike on the other GPUs.
struct ModelConstants {
  double launch_us = 0.55;       ///< measured: an empty kernel, back to back in a CUDA graph
  double first_touch_us = 0.95;  ///< fitted: code, arguments and the first data come from DRAM
  double dispatch_clocks =
      1.21;  ///< measured: one block after another, 0.61 ns (an empty kernel of 32768 blocks)
  double block_clocks = 590;            ///< fitted: a block's start where another one has just ended
  double dram_efficiency = 0.89;        ///< measured: a copy moves 4.22 of 4.8 TB/s
  double dram_latency_clocks = 692;     ///< measured: pointer chase
  double l2_latency_clocks = 288;       ///< measured: pointer chase
  double l2_keeps = 0.59;               ///< fitted: of the L2's size, what is not written back or found again
  double l2_bytes_per_clock = 30.6;     ///< measured, for each SM: 8.0 TB/s
  double l2_line_bytes = 64;            ///< fitted: what a line costs of which only a sector is wanted
  double l2_partial_store_bytes = 145;  ///< fitted: what a sector costs of which only a part is written
  double l2_partial_neighbour_bytes = 40;  ///< fitted: each further such sector of a request in the same line
  double global_request_clocks = 1.32;     ///< fitted: one warp's request that the L1 answers, for each SM
  double second_line_clocks = 0.45;        ///< fitted: where a request's lanes lie across the end of a line
  double further_line_clocks = 0.85;       ///< fitted: each 128-byte line of a request but the first two
  double l1_sectors_per_clock = 4.0;       ///< 128 bytes, from the whitepapers
  double shared_pass_clocks = 0.9;         ///< fitted: below 1, for the compiler merges neighbouring loads
  double shared_atomic_pass_clocks = 0.5;  ///< fitted: integers; what lanes add to one word is joined
  double refetched_bytes = 48;          ///< fitted: what DRAM moves for a sector that the L2 has lost again
  double atomic_clocks = 1.5;           ///< measured: atomics of one lane each on one address
  double atomic_part_bytes = 512;       ///< fitted: bytes that one part of the L2 holds in a row
  double atomic_parts = 96;             ///< L2 slices of an H200, as its driver reports them
  double arithmetic_efficiency = 0.82;  ///< fitted: a kernel of independent multiply-adds
  double tensor_efficiency = 0.80;      ///< measured: the best product of bfloat16, 790 of 989 TFLOP/s
  double barrier_clocks =
      70;  ///< fitted, with what waits for it; an empty one takes 29, a block of 256 threads
  double cluster_barrier_clocks = 190;  ///< assumed: the way to another SM, and what waits for it
  double grid_barrier_trips = 7;      ///< fitted: to the L2 and back, for a fence, an atomic and looks at it
  double warp_operation_clocks = 19;  ///< fitted: a shuffle takes 24, and independent ones overlap
  double access_clocks = 28;         ///< fitted: each access of a warp that nothing hides; an L1 hit takes 39
  double next_access_clocks = 12;    ///< fitted: a load from shared memory behind another one
  double remote_clocks = 180;        ///< published, of an H800: a load from another SM (arXiv 2402.13499)
  double remote_request_clocks = 9;  ///< likewise: 3.27 TB/s between SMs, 128 bytes a request
};

/// What the arithmetic of a launch takes at the GPU's peaks, tensor cores and the others one after the other.
double arithmetic_floor_us(const GpuSpec& gpu, const runs::LaunchCounters& counters);

/// The share of an SM's threads that the launch can keep resident, 0 to 1; registers where they are known.
double theoretical_occupancy(const GpuSpec& gpu, const runs::LaunchRecord& launch);

/// Of what the launch writes, the bytes that reach DRAM before it ends, caches clean at its start: the rest
/// stays in the L2. That is what a profiler sees; the modelled time has all of it written, by whoever comes
/// next.
double dram_bytes_written_by_its_end(const GpuSpec& gpu, const runs::LaunchCounters& counters,
                                     const ModelConstants& constants = {});

/// The time of one launch on its own. `l2_hit_bytes`: of what it reads first from DRAM, what lies in the L2
/// already.
runs::ModelledTime model_time(const GpuSpec& gpu, const runs::LaunchRecord& launch,
                              const ModelConstants& constants = {}, double l2_hit_bytes = 0.0);

/// A copy or fill within device memory, which moves `bytes` in all.
runs::ModelledTime model_move(const GpuSpec& gpu, double bytes, const ModelConstants& constants = {});

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
