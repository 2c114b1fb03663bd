// One variant on one case: executed, compared, diagnosed.
#pragma once

#include <optional>
#include <vector>

#include "arguments.h"
#include "fingerprint.h"
#include "prepare.h"
#include "runs/trace.h"

namespace workbook::core {

struct CheckedCase {
  runs::CaseResult result;
  std::vector<runs::Finding> findings;
  runs::CaseValues values;  ///< the arrays, where they are few enough to be kept
  std::vector<runs::LaunchRecord> launches;
  std::vector<Probes> probes;  ///< of the checked tensors, when one of them is wrong and Arguments::probe
  bool wrong() const;
  bool over_budget() const;  ///< every element is right, at too high a price
};

/// `on_step` hears of each step before it runs. Throws LaunchFailed.
CheckedCase check_case(Backend& backend, const Task& task, const Variant& variant, const Launcher& launcher,
                       const Case& which, const Arguments& arguments,
                       const std::vector<Fingerprint>& fingerprints,
                       const std::function<void(const Step&)>& on_step);

}  // namespace workbook::core
