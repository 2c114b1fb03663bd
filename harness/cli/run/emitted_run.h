// Kernels that `workbook optimize` wrote, compiled and run on the simulator on the cases they are judged on.
#pragma once

#include <string>
#include <vector>

#include "cli/project/project.h"
#include "cli/run/emitted_device.h"
#include "optimizer/schedule/emitted_cases.h"
#include "optimizer/schedule/schedule.h"

namespace workbook::cli {

struct EmittedRun {
  std::string kernels, check;  ///< the two files
  bool compiles = false;
  int shapes = 0;             ///< that it was run on
  std::int64_t findings = 0;  ///< errors and warnings of the simulator
  opt::EmittedVerdict verdict;
  std::string trouble;                      ///< why it is not right, a sentence; empty when it is
  runs::ProgramReport report;               ///< counters are summed over the cases
  std::optional<DeviceRun> on_device = {};  ///< of one that is right, where there is a GPU
  bool right() const { return trouble.empty(); }
  /// Right wherever it ran.
  bool usable() const { return right() && !(on_device && on_device->wrong); }
};

/// `folder`: below the project's state; its files are written anew. `reuse`: where the same program, on the
/// same simulator and cases, was run there without trouble before, what it left is judged again instead.
EmittedRun run_emitted(const Project& project, const std::filesystem::path& folder,
                       const opt::Program& program, const opt::Plan& plan,
                       const std::vector<opt::EmittedCase>& cases, bool reuse);

}  // namespace workbook::cli
