#include "runs/record.h"

#include <algorithm>

namespace workbook::runs {

std::int64_t turns_a_pass(const SiteCounters& site) {
  const std::int64_t of_words = 128 * site.requests;  // a word a lane
  return of_words == 0 ? 1 : std::max<std::int64_t>(1, (site.bytes + of_words / 2) / of_words);
}

int reach_rank(const Finding& finding) {
  int rank = 1;
  for (const char* reach : {"warp", "block", "cluster", "grid"}) {
    if (finding.reach == reach) return rank;
    ++rank;
  }
  return 0;
}

int exit_status(Verdict verdict) {
  switch (verdict) {
    case Verdict::correct:
      return 0;
    case Verdict::wrong:
    case Verdict::finding:
    case Verdict::over_budget:
    case Verdict::not_filled:
      return 1;
    case Verdict::does_not_compile:
      return 3;
    case Verdict::crashed:
    case Verdict::timed_out:
      return 4;
    case Verdict::none:
    case Verdict::harness_error:
      break;
  }
  return 5;
}

}  // namespace workbook::runs
