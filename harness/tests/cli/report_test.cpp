#include "cli/report/report.h"

#include "cli/report/glossary.h"
#include "cli/report/terminal.h"
#include "cli/report/text.h"
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
  CHECK(contains(duel_report(mine, other), "(1.00 us, 2.00 us)"));
  other.benchmarks[0].sizes[0].second = 99;
  CHECK(duel_report(mine, other).empty());
}

TEST_CASE("counters carry NVIDIA's names") {
  set_colour(false);
  const std::string text = counters_report(test::sample_run());
  CHECK(contains(text, "Counters of layernorm_kernel, teaching shape:"));
  CHECK(contains(text, "dram__bytes_read.sum"));
}

TEST_CASE("words are explained where they stand, once") {
  set_colour(false);
  std::set<std::string> told;
  CHECK(contains(explained_words("bound by dispatch", told), "dispatch    the GPU hands out blocks"));
  CHECK(explained_words("dispatch again, dispatched too", told).empty());
  CHECK_FALSE(contains(explained_words("--block", told), "threads that run on one"));
}

TEST_CASE("a warning about what was never set is a likely cause, an unused variable is not") {
  const std::string warnings =
      "a.cu:2:3: warning: 's' may be used uninitialized [-Wmaybe-uninitialized]\n    2 | s\n"
      "a.cu:4:3: warning: unused variable 'i' [-Wunused-variable]\n    4 | i\n";
  CHECK(contains(likely_causes(warnings, false), "may be used"));
  CHECK(contains(likely_causes(warnings, false), "    2 | s"));
  CHECK_FALSE(contains(likely_causes(warnings, false), "unused"));
  CHECK(contains(likely_causes(warnings, true), "unused"));
  CHECK_FALSE(contains(likely_causes(warnings, true), "may be used"));
}

TEST_CASE("a source line that is too long is cut around its mark") {
  const SourceText source = [](const std::string&) {
    return std::string(60, 'a') + " " + std::string(60, 'b');
  };
  for (const int column : {1, 70, 120}) {
    const std::string text = source_excerpt(source, {"k.cu", 1}, column);
    INFO(text);
    for (const std::string& line : lines_of(text)) CHECK(columns(line) <= 80);
    CHECK(contains(text, column == 1 ? "| ^" : "..."));
    CHECK(contains(text, "^"));
  }
}
