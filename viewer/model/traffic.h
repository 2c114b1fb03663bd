// Bytes on their way from DRAM to the registers in a whole run, one hop after another. For the Memory panel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runs/record.h"

namespace workbook::viewer {

/// Sums over all launches of a benchmark, read and written together.
struct Traffic {
  bool counted = false;           ///< every launch has counters
  bool sampled = false;           ///< some are scaled from a sample of blocks
  std::int64_t dram_bytes = 0;    ///< between DRAM and the L2: unique sectors
  std::int64_t l2_bytes = 0;      ///< between the L2 and the SMs: sectors that the L1 did not have
  std::int64_t l1_bytes = 0;      ///< through the L1: sectors of all requests to global memory
  std::int64_t asked_bytes = 0;   ///< of global memory, by the threads
  std::int64_t shared_bytes = 0;  ///< of shared memory, by the threads
};
Traffic traffic_of(const runs::RunRecord& run, const std::string& benchmark);

/// One hop of both runs.
struct Hop {
  std::string from, to;  ///< "DRAM", "L2"
  std::string what;      ///< "each sector once"
  std::int64_t a = 0, b = 0;
  std::string difference;  ///< "3.1 MB less"; "the same"
  std::string ratio;       ///< "0.55x"; empty when A moves nothing
};
std::vector<Hop> hops_of(const Traffic& a, const Traffic& b);

/// "B moves 3.1 MB less through DRAM (0.55x)".
std::string headline(const Traffic& a, const Traffic& b);

}  // namespace workbook::viewer
