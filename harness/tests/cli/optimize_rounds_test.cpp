// `workbook optimize` goes in rounds, and ends: with all priced, with its time, with Ctrl-C.
#include "cli/base/file_lock.h"
#include "cli/run/rounds.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook::cli;

namespace {

PlansDone round_of(std::optional<std::size_t> chosen, bool stopped) {
  PlansDone round;
  round.schedule.stopped = stopped;
  round.chosen = chosen;
  return round;
}

}  // namespace

TEST_CASE(
    "a round that chose no plan leaves the one before, and the rounds end with the one that priced all") {
  std::optional<PlansDone> best;
  take_round(best, round_of({}, true));
  CHECK_FALSE(best->chosen);
  take_round(best, round_of(3, true));
  CHECK(best->chosen == 3);
  take_round(best, round_of({}, false));  // its plans were wrong, or killed for want of memory
  CHECK(best->chosen == 3);
  CHECK_FALSE(best->schedule.stopped);
  take_round(best, round_of(1, false));
  CHECK(best->chosen == 1);
}

TEST_CASE("a round is over with its time, but not before some work was done") {
  WorkFirst work(3);
  for (const bool over : {false, false, false, true}) CHECK(work.is_over(true) == over);
  CHECK_FALSE(work.is_over(false));
  CHECK(WorkFirst(0).is_over(true));
}

TEST_CASE("whoever waits for another workbook's build folder is ended by Ctrl-C") {
  const workbook::test::TemporaryFolder folder;
  const std::filesystem::path file = folder / "lock";
  const FileLock first(file);
  interrupted = true;
  CHECK_THROWS_WITH(FileLock(file), contains_text("at work in " + folder.path().string()));
  interrupted = false;
}
