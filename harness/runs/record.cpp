#include "runs/record.h"

namespace workbook::runs {

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
