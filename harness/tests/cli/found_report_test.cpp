#include "cli/report/found_report.h"

#include "cli/base/terminal.h"
#include "cli/project/tensor_program.h"
#include "cli/report/compare_report.h"
#include "tests/catch.h"
#include "tests/sample_fusion.h"

using namespace workbook;
using namespace workbook::cli;

namespace {

constexpr const char* kCommand = "workbook optimize rmsnorm_linear";
const runs::Timing kModelled{false, false, "H200", {200, 200, 200}};
const runs::Timing kMeasured{true, true, "NVIDIA H200", {150, 152, 155}};

runs::Benchmark real_shape() {
  runs::Benchmark shape;
  shape.name = "real";
  shape.sizes = {{"B", 16}, {"H", 4096}, {"O", 6144}};
  return shape;
}

/// A learner's run at that shape.
runs::RunRecord run_timed_as(const runs::Timing& timing) {
  runs::RunRecord run;
  run.id = 7;
  run.variant = "fused";
  run.device = timing.device;
  runs::Benchmark& bench = run.benchmarks.emplace_back(real_shape());
  bench.launches.emplace_back().kernel = "fused_kernel";
  if (timing.measured)
    bench.graph_cold_us = {timing.us.low, timing.us.median, timing.us.high};
  else
    bench.modelled_total_us = timing.us.median;
  return run;
}

}  // namespace

TEST_CASE("the plan that a search found stands beside runs whose times have its origin") {
  set_colour(false);
  const runs::FusionRecord record = test::sample_fusion();
  const auto found = found_run(record, real_shape(), kModelled);
  REQUIRE(found);
  const std::vector<runs::RunRecord> all = {run_timed_as(kModelled), *found};
  const auto sides = sides_of(all, "real");
  REQUIRE(sides.size() == 2);
  CHECK(sides[0].contestant.name == "found");
  CHECK(sides[0].contestant.timing->us.median == 124.8);
  CHECK(contains(shape_report(sides), "found is 1.60x as fast as --fused"));
  CHECK(runs::launches_of(*sides[0].bench) == 2);
  CHECK(sides[0].bench->tensors.size() == 1);  // t4, which crosses
}

TEST_CASE("what was measured is ranked with what was measured there, cold, and with nothing else") {
  runs::FusionRecord record = test::sample_fusion();
  CHECK_FALSE(found_run(record, real_shape(), kMeasured));  // its best plan was not timed
  const std::string words = found_words(record, kMeasured, kCommand);
  CHECK(contains(words, "a plan in 2 launches, modelled for an H200: 125 us"));
  CHECK(contains(words, "measured on NVIDIA H200, cold, which is no ranking with it"));
  record.plans[0].measured_us = 131.0;
  record.plans[0].cold_us = {130.0, 131.0, 132.0};
  const auto found = found_run(record, real_shape(), kMeasured);
  REQUIRE(found);
  const auto timing = runs::timing_of(found->benchmarks[0], found->device);
  CHECK(timing->source() == kMeasured.source());
  CHECK(timing->us.median == 131.0);
  runs::Timing other = kMeasured;
  other.device = "NVIDIA L4";
  CHECK_FALSE(found_run(record, real_shape(), other));
  other = kMeasured;
  other.cold = false;
  CHECK_FALSE(found_run(record, real_shape(), other));
}

TEST_CASE("a plan for another GPU, one that never ran, and none are said to be that") {
  runs::FusionRecord record = test::sample_fusion();
  record.gpu = "A100";
  CHECK_FALSE(found_run(record, real_shape(), kModelled));
  CHECK(contains(found_words(record, kModelled, kCommand), "rmsnorm_linear --gpu h200` prices it there."));
  record = test::sample_fusion();
  record.plans[0].built.reset();  // --emit-only
  CHECK_FALSE(found_run(record, real_shape(), kModelled));
  CHECK(contains(found_words(record, kModelled, kCommand), "nothing is on record at these sizes"));
  CHECK(contains(found_words(std::nullopt, kModelled, kCommand), kCommand));
}

TEST_CASE("sizes are the same in letters of either case and in any order") {
  CHECK(same_sizes({{"B", 16}, {"H", 8}}, {{"h", 8}, {"b", 16}}));
  CHECK_FALSE(same_sizes({{"B", 16}, {"H", 8}}, {{"h", 9}, {"b", 16}}));
  CHECK_FALSE(same_sizes({{"B", 16}}, {{"h", 8}, {"b", 16}}));
}
