// One variant on one case: executed, compared, diagnosed.
#pragma once

#include <optional>
#include <vector>

#include "arguments.h"
#include "mistakes.h"
#include "prepare.h"
#include "runs/trace.h"
#include "supposition.h"

namespace workbook::core {

struct CheckedCase {
  runs::CaseResult result;
  std::vector<runs::Finding> findings;
  runs::CaseValues values;  ///< the arrays, where they are few enough to be kept
  std::vector<runs::LaunchRecord> launches;
  std::vector<Probes> probes, few_probes;  ///< where it is wrong and Arguments::probe: mistakes.h
  bool lucky = false;    ///< a race, or something unset or out of bounds that was read, decided the values
  bool certain = false;  ///< the diagnosis needs no guess: nothing was written, or an input was
  bool tells_cause = false;  ///< the diagnosis says what the wrong values are, and not only where
  bool goes_on = false;      ///< and a cause may stand behind it: diagnose.h
  CheckedValues seen;        ///< for suppositions
  bool wrong() const;
  bool over_budget() const;  ///< every element is right, at too high a price
};

/// `steps`: the variant's, or null where the backend has them. `on_step` hears of each step before it
/// runs; `known` looks at what comes out. The diagnosis is a general one: a known mistake is named when all
/// cases have been seen. `name_caller`: where the first wrong element was stored in a header, who called that
/// is looked for, in another run. `traced`: for take_trace() of the backend. Throws LaunchFailed.
CheckedCase check_case(Backend& backend, const Task& task, const Variant& variant, void (*steps)(Run&),
                       const Case& which, const Arguments& arguments, KnownMistakes& known, bool name_caller,
                       bool traced, const std::function<void(const Step&)>& on_step);

}  // namespace workbook::core
