#include "model/occupancy.h"
#include "fixture.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

/// A run whose one launch has blocks of 4 warps with 32 KB of shared memory.
runs::RunRecord run_of_tables() {
  runs::RunRecord run = fixture::fused().record;
  runs::LaunchRecord& launch = run.benchmarks[0].launches[0];
  run.benchmarks[0].launches.resize(1);
  launch.block = {128, 1, 1};
  launch.shared_bytes = 32 * 1024;
  return run;
}

}  // namespace

TEST_CASE("places for warps go to resident blocks, and what bounds them is said") {
  const runs::RunRecord run = run_of_tables();
  const Held held = make_held(run, run.benchmarks[0].name);
  REQUIRE(held.present);
  CHECK(held_words(held) == "24 of 64 warps, bound by shared memory");
  CHECK(block_of_slot(held, 0) == 0);
  CHECK(block_of_slot(held, 23) == 5);
  CHECK(block_of_slot(held, 24) == -1);
}

TEST_CASE(
    "the next block lacks what is used up, fits elsewhere, and nothing is said of what nobody counted") {
  runs::RunRecord run = run_of_tables();
  Held held = make_held(run, run.benchmarks[0].name);
  REQUIRE(held.sm.supplies.size() == 4);
  CHECK(next_words(held, held.sm.supplies[0]) == "the next one fits");
  CHECK(taken_words(held, held.sm.supplies[1]) == "6 blocks of 32");
  CHECK(next_words(held, held.sm.supplies[2]) == "the next one lacks 3.07 kB");
  CHECK(taken_words(held, held.sm.supplies[3]) == "not known");
  run.benchmarks[0].launches[0].registers = 64;
  held = make_held(run, run.benchmarks[0].name);
  CHECK(taken_words(held, held.sm.supplies[3]) == "6 blocks of 8,192, of 65,536");
}

TEST_CASE("a run without launches holds nothing") {
  runs::RunRecord run = run_of_tables();
  CHECK_FALSE(make_held(run, "another shape").present);
  run.benchmarks[0].launches.clear();
  CHECK_FALSE(make_held(run, run.benchmarks[0].name).present);
}
