// What the files of ClassJudge share: of kernels (judge.cpp), of programs (judge_programs.cpp), of references
// (judge_references.cpp).
#pragma once

#include <string>

#include "cli/grade/graded.h"
#include "runs/record.h"

namespace workbook::cli {

/// What was not run, or not believed; `says` without a full stop.
GradedResult not_counted(const std::string& mistake, const std::string& says);

/// A record without what differs from run to run, or is of no use for marks.
runs::RunRecord lasting(runs::RunRecord record);

/// The fresh case that did not come out right; empty where it was none of these.
std::string fresh_case_of(const runs::RunRecord& record);

/// A fresh case that only luck passes: the solution takes more than half of what is accepted there, and more
/// than at any shape that learners see. Whoever rounds in another order may be told to be wrong. Empty: none.
std::string close_case_of(const runs::RunRecord& record);

}  // namespace workbook::cli
