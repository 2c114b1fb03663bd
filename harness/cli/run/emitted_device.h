// Kernels that `workbook optimize` wrote, on this machine's GPU: judged on the cases that the simulator
// judged them on, then timed at the real shape with cold caches (harness/gpu/time_emitted.h).
#pragma once

#include <string>
#include <vector>

#include "cli/compile/device.h"
#include "cli/project/project.h"
#include "optimizer/schedule/emitted_cases.h"
#include "optimizer/schedule/schedule.h"
#include "runs/timing.h"

namespace workbook::cli {

struct DeviceRun {
  std::string device;           ///< "NVIDIA H200"
  bool wrong = false;           ///< it ran to its end, and elements are wrong
  std::string trouble;          ///< why there is no time, a sentence; empty until something fails
  std::vector<double> cold_us;  ///< samples of all passes

  bool timed() const { return trouble.empty() && !cold_us.empty(); }
  runs::Spread us() const { return runs::spread_of(cold_us); }
};

/// Compiles both programs with nvcc, or takes those of before where nothing has changed, and judges the
/// kernels. `folder`: where run_emitted() was before, with its cases.
DeviceRun judge_on_device(const Project& project, const Device& device, const std::filesystem::path& folder,
                          const opt::Program& program, const opt::Plan& plan,
                          const std::vector<opt::EmittedCase>& cases);

/// Why a plan is not timed on a GPU with so much memory, a sentence; empty where it is. Whoever times it
/// holds all of its tensors, those between launches, too, and runs it some hundred times.
std::string untimed_words(const opt::Program& program, const opt::Scheduled& plan, double memory_gb);

/// One pass more of samples, where nothing failed so far. Plans that are compared take turns.
void time_on_device(const std::filesystem::path& folder, DeviceRun& run);

}  // namespace workbook::cli
