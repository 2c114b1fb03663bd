// What a plan costs, from plan and shape alone: the counters that the simulator would have, in closed form
// (one block's turn is walked, the others are alike), given to the clock that judges learners.
#pragma once

#include "clock/gpus.h"
#include "optimizer/plan/plan.h"
#include "runs/record.h"

namespace workbook::opt {

/// As the simulator records a launch. Traffic is by node. Of a launch that can be emitted.
runs::LaunchRecord counted(const Program& program, const Plan& plan, const Launch& launch,
                           const Kernel& kernel, const Extents& extents);

struct Price {
  double us = 0.0;                           ///< modelled, cold caches, launches one after another
  double bytes = 0.0;                        ///< to and from DRAM
  std::vector<runs::LaunchRecord> launches;  ///< with counters and modelled times
};
Price price_of(std::vector<runs::LaunchRecord> counted, const sim::GpuSpec& gpu);
Price price_of(const Program& program, const Plan& plan, const Extents& extents, const sim::GpuSpec& gpu);

/// Shared memory of a block for its tiles, in bytes; nothing where the launch is none of the kernel's form.
std::optional<std::int64_t> tile_bytes_of(const Program& program, const Plan& plan, const Launch& launch,
                                          const Kernel& kernel, const Extents& extents);

/// What the plan asks of a GPU that it does not have, in a sentence; nothing when it fits.
std::optional<std::string> does_not_fit(const Program& program, const Plan& plan, const Extents& extents,
                                        const sim::GpuSpec& gpu);

/// What no kernel of the program is faster than: it is launched, and reads what the output is made of.
double least_us(const Program& program, const sim::GpuSpec& gpu);

}  // namespace workbook::opt
