// What the phases say, taken together: the verdict and the record.
#pragma once

#include "cli/run/phase.h"

namespace workbook::cli {

struct Phases {
  Phase check, large, bench;  ///< on the simulator
  Phase gpu_check, gpu_large, gpu_bench;
};

/// Fills verdict, detail, at, cases, findings, benchmarks and learner_output of `record`.
void assemble(const Phases& phases, runs::RunRecord& record);

/// The first array that is not as it should be, in the order in which data flows; nothing when all is.
struct Wrong {
  const runs::CaseResult* at = nullptr;
  const runs::Check* check = nullptr;
};
std::optional<Wrong> first_wrong(const runs::RunRecord& record);

bool has_errors(const std::vector<runs::Finding>& findings);

}  // namespace workbook::cli
