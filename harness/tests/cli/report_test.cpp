#include "cli/report/report.h"

#include "cli/report/terminal.h"
#include "tests/catch.h"
#include "tests/sample_run.h"

using namespace workbook;
using namespace workbook::cli;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a wrong party is INCORRECT and a modelled time says so") {
  set_colour(false);
  const runs::RunRecord run = test::sample_run();
  const std::string correctness = correctness_report(run);
  INFO(correctness);
  CHECK(contains(correctness, "GPU kernels (simulator, diagnosing)"));
  CHECK(contains(correctness, "INCORRECT"));
  CHECK(contains(correctness, "NaN"));
  runs::RunRecord timed = run;
  timed.benchmarks[0].launches[0].warm_us.clear();
  timed.benchmarks[0].modelled_total_us = 2.5;
  CHECK(contains(benchmark_report(timed), "modelled (H200)"));
}

TEST_CASE("nothing is coloured without a terminal, and something is with one") {
  const runs::RunRecord run = test::sample_run();
  set_colour(false);
  CHECK_FALSE(contains(correctness_report(run), "\033"));
  set_colour(true);
  CHECK(contains(correctness_report(run), "\033[1;31mINCORRECT\033[0m"));
  set_colour(false);
}

TEST_CASE("a measured rival is compared shape by shape") {
  runs::RunRecord mine = test::sample_run(), other = test::sample_run();
  mine.benchmarks[0].graph_cold_us = {1.0, 1.0, 1.0};
  other.benchmarks[0].graph_cold_us = {2.0, 2.0, 2.0};
  other.variant = "fused";
  CHECK(contains(duel_report(mine, other), "--unfused is 2.00x as fast as --fused"));
  other.benchmarks[0].sizes[0].second = 99;
  CHECK(duel_report(mine, other).empty());
}
