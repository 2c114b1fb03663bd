#include "cli/report/compare_report.h"

#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::cli;

namespace {

runs::RunRecord run_of(const std::string& variant, int launches, double each_us, double launch_us) {
  runs::RunRecord run;
  run.id = launches;
  run.puzzle = 22;
  run.variant = variant;
  run.backend = runs::Backend::sim;
  run.device = "Simulator, H200 (modelled)";
  runs::Benchmark benchmark;
  benchmark.name = "teaching";
  benchmark.sizes = {{"H", 8}};
  for (int i = 0; i < launches; ++i) {
    runs::LaunchRecord launch;
    launch.kernel = variant + "_kernel_" + std::to_string(i);
    launch.counters.emplace().dram_bytes_read = 1000;
    launch.modelled = runs::ModelledTime{.gpu = "H200",
                                         .total_us = each_us,
                                         .launch_us = launch_us,
                                         .dram_us = 0.1,
                                         .bound = runs::BoundBy::latency};
    benchmark.launches.push_back(launch);
  }
  benchmark.modelled_total_us = launches * each_us;
  run.benchmarks = {benchmark};
  return run;
}

}  // namespace

TEST_CASE("variants stand side by side, the best first, each pair with why") {
  set_colour(false);
  const std::vector<runs::RunRecord> all = {run_of("unfused", 4, 2.0, 1.5), run_of("slow", 1, 20.0, 1.5),
                                            run_of("block", 1, 3.0, 1.5)};
  const auto sides = sides_of(all, "teaching");
  REQUIRE(sides.size() == 3);
  CHECK(sides[0].contestant.name == "--block");
  CHECK(sides[2].contestant.name == "--slow");
  const std::string text = shape_report(sides);
  INFO(text);
  CHECK(contains(text, "--block is 2.67x as fast as --unfused."));
  CHECK(contains(text, "Of 5.00 us saved, 3 launches fewer save 4.50 us"));
  CHECK(contains(text, "--unfused is 2.50x as fast as --slow."));
  for (const std::string& line : lines_of(text)) CHECK(columns(line) <= kScreen);
  const runs::Json json = shape_json(sides);
  CHECK(json["runs"].size() == 3);
  CHECK(json["verdicts"][0]["why"]["launches"] == 3);
}

TEST_CASE("two runs of one variant are named by their numbers, and other sizes are left out") {
  std::vector<runs::RunRecord> all = {run_of("a", 1, 1.0, 0.5), run_of("a", 2, 1.0, 0.5),
                                      run_of("b", 1, 1.0, 0.5)};
  CHECK(name_of(all[0], all) == "run 1");
  CHECK(name_of(all[2], all) == "--b");
  all[2].benchmarks[0].sizes = {{"H", 9}};
  CHECK(sides_of(all, "teaching").size() == 2);
  CHECK(sides_of(all, "real").empty());
}

TEST_CASE("where it stops is the crossing of the last sweep, or how to make one") {
  set_colour(false);
  const std::vector<runs::RunRecord> all = {run_of("unfused", 4, 2.0, 1.5), run_of("block", 1, 3.0, 1.5)};
  const auto sides = sides_of(all, "teaching");
  CHECK(contains(crossings_report(sides, std::nullopt), "`workbook sweep 22`"));
  runs::Sweep sweep;
  sweep.id = 3;
  sweep.backend = runs::Backend::sim;
  sweep.device = "H200";
  sweep.dimension = "H";
  sweep.variants = {"unfused", "block"};
  sweep.complete = true;
  for (const auto& [size, unfused, block] : {std::tuple{8, 8.0, 3.0}, {800, 80.0, 200.0}})
    for (const auto& [name, us] : {std::pair{"unfused", unfused}, {"block", block}}) {
      runs::SweepPoint point;
      point.variant = name;
      point.sizes = {{"H", size}};
      point.median_us = point.low_us = point.high_us = us;
      sweep.points.push_back(point);
    }
  const std::string text = crossings_report(sides, sweep);
  INFO(text);
  CHECK(contains(text, "by sweep 3"));
  CHECK(contains(text, "cross near H"));
}
