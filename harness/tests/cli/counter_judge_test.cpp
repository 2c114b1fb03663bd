#include "cli/run/counter_judge.h"

#include "cli/base/errors.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::cli;

namespace {

/// A kernel with loads of a request and so many sectors, of which some were in L1.
runs::LaunchRecord kernel(const char* name, std::int64_t sectors, std::int64_t in_l1) {
  runs::LaunchRecord launch;
  launch.kernel = name;
  launch.block = {64, 1, 1};
  launch.modelled.emplace().bound = runs::BoundBy::latency;
  runs::LaunchCounters& counters = launch.counters.emplace();
  counters.blocks_total = 3;
  counters.chained_misses = 9;
  runs::SiteCounters& load = counters.sites.emplace_back();
  load.requests = 1;
  load.sectors = sectors;
  load.l1_sectors = in_l1;
  return launch;
}

std::string answer(const std::string& fact) {
  runs::Benchmark run;
  run.launches = {kernel("wide_kernel", 32, 31), kernel("narrow", 4, 0)};
  ProgramInfo program;
  program.answers = {{"q", fact}};
  return with_counted_answers(program, run).answers.front().second;
}

}  // namespace

TEST_CASE("an answer is read from the counters of the run, in each form that is right") {
  CHECK(answer("counter: most sectors a load request") == "wide_kernel|wide");
  CHECK(answer("counter: least sectors a load request") == "narrow");
  CHECK(answer("counter: sectors a load request of wide_kernel") == "32.00|32");
  CHECK(answer("counter: load sectors found in L1 of wide_kernel") == "96.9 %|96.9|97 %|97");
  CHECK(answer("counter: warps launched of narrow") == "6|6");
  CHECK(answer("counter: waits for memory a warp of narrow") == "1.50|2");
  CHECK(answer("counter: bound of narrow") == "latency");
}

TEST_CASE("an answer that is no counter's stays as it is") { CHECK(answer("yes|no") == "yes|no"); }

TEST_CASE("a question that the counters do not answer is the puzzle's fault") {
  CHECK_THROWS_AS(answer("counter: most warps launched"), HarnessError);  // both launch as many
  CHECK_THROWS_AS(answer("counter: most colours"), HarnessError);
  CHECK_THROWS_AS(answer("counter: sectors a load request of other_kernel"), HarnessError);
  CHECK_THROWS_AS(answer("counter: colours of narrow"), HarnessError);
  CHECK_THROWS_AS(answer("counter: something"), HarnessError);
}
