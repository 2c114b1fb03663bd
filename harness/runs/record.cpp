#include "runs/record.h"

namespace workbook::runs {

int reach_rank(const Finding& finding) {
  int rank = 1;
  for (const char* reach : {"warp", "block", "cluster", "grid"}) {
    if (finding.reach == reach) return rank;
    ++rank;
  }
  return 0;
}

int exit_status(const std::string& verdict) {
  if (verdict == "correct") return 0;
  if (verdict == "wrong" || verdict == "finding" || verdict == "over_budget" || verdict == "not_filled")
    return 1;
  if (verdict == "does_not_compile") return 3;
  if (verdict == "crashed" || verdict == "timed_out") return 4;
  return 5;
}

}  // namespace workbook::runs
