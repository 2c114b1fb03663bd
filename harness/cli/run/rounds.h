// The rounds that a long search goes in: how long each is, and what stands after it.
#pragma once

#include <atomic>
#include <cstdint>

#include "cli/run/plans_done.h"

namespace workbook::cli {

/// What stands after another round: its plans, or those before where it chose none; and whether all is
/// priced.
inline void take_round(std::optional<PlansDone>& best, PlansDone round) {
  if (round.chosen || !best || !best->chosen)
    best = std::move(round);
  else
    best->schedule.stopped = round.schedule.stopped;  // else rounds would go on for ever
}

/// Whether a round's time is up: not before pricing has asked so often, which takes less than two seconds of
/// a processor. However busy the machine, the plans that come first are good ones then.
class WorkFirst {
 public:
  explicit WorkFirst(std::int64_t least) : left_(least) {}
  /// May be asked by several threads. `up`: on the clock.
  bool is_over(bool up) { return --left_ < 0 && up; }

 private:
  std::atomic<std::int64_t> left_;
};

}  // namespace workbook::cli
