#include "cli/report/report.h"

#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/compile/compiler_warnings.h"
#include "cli/report/glossary.h"
#include "tests/catch.h"
#include "tests/sample_run.h"

using namespace workbook;
using namespace workbook::cli;

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
  // The times stand in the order of the names, whoever is asked about.
  CHECK(contains(duel_report(other, mine), "--unfused is 2.00x as fast as --fused (1.00 us, 2.00 us)"));
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

TEST_CASE("of many warnings three are shown and the rest is counted, all with --all") {
  std::string warnings;
  for (const char* line : {"1", "2", "3", "4", "5"})
    warnings += "a.cu:" + std::string(line) + ":3: warning: unused variable 'i' [-Wunused-variable]\n";
  const std::string few = likely_causes(warnings, true);
  CHECK(contains(few, "a.cu:3:"));
  CHECK_FALSE(contains(few, "a.cu:4:"));
  CHECK(contains(few, "and 2 more warnings of the compiler: --all shows them."));
  CHECK(likely_causes(warnings, true, true) == warnings);
}

TEST_CASE("warnings about a function whose region holds nothing yet are left out") {
  const std::string source =
      "__global__ void a() {\n  int i = 0;\n  // FILL ME IN: a (roughly 1 line)\n  // END: a\n}\n"
      "__global__ void b() {\n  int i = 0;\n  // FILL ME IN: b (roughly 1 line)\n  i = 1;\n  // END: b\n}\n";
  const std::string one = "k.cu:2:7: warning: unused variable 'i' [-Wunused-variable]\n    2 | i\n",
                    two = "k.cu:7:7: warning: variable 'i' set but not used [-Wunused]\n    7 | i\n";
  CHECK(of_written_code(one + two, source) == two);
  CHECK(of_written_code(one + two, "int main() {}\n") == one + two);
}

TEST_CASE("a float that meets a double is advice, once a line; what printf is given is not") {
  std::string warnings =
      "k.cu:7:7: warning: implicit conversion from 'float' to 'double' to match other operand of binary "
      "expression [-Wdouble-promotion]\n    7 | i\n"
      "k.cu:7:20: warning: implicit conversion from 'float' to 'double' to match other operand of binary "
      "expression [-Wdouble-promotion]\n"
      "k.cu:8:7: warning: implicit conversion from 'float' to 'double' when passing argument to variadic "
      "function [-Wdouble-promotion]\n"
      "k.cu:9:7: warning: unused variable 'i' [-Wunused-variable]\n";
  const auto advice = take_double_advice(warnings);
  REQUIRE(advice.size() == 1);
  CHECK(advice[0].at.file == "k.cu");
  CHECK(advice[0].at.line == 7);
  CHECK(advice[0].count == 2);
  CHECK(advice[0].severity == runs::Severity::advice);
  CHECK(warnings == "k.cu:9:7: warning: unused variable 'i' [-Wunused-variable]\n");
}

TEST_CASE("a finding in given code names the line that called it, before the other party") {
  set_colour(false);
  runs::Finding finding;
  finding.klass = runs::FindingClass::race_shared;
  finding.kernel = "fused_kernel";
  finding.at = {"puzzles/39/given.cuh", 2};
  finding.other = runs::SourceLine{"puzzles/39/given.cuh", 3};
  finding.called_from = runs::SourceLine{"puzzles/39/kernels.cu", 1};
  finding.message = "two threads meet";
  const SourceText source = [](const std::string& file) {
    return file.ends_with(".cu") ? std::string("variance = block_sum(x);\n") : std::string("a\nb\nc\n");
  };
  const std::string text = findings_text({finding}, source, 3, "");
  INFO(text);
  CHECK(contains(
      text, "    2 | b\n      | ^\n  called at puzzles/39/kernels.cu:1\n    1 | variance = block_sum(x);"));
  CHECK(text.find("called at") < text.find("the other"));
}

TEST_CASE("advice of the compiler is not said to be on the host") {
  set_colour(false);
  std::string warnings = "k.cu:1:1: warning: from 'float' to 'double' [-Wdouble-promotion]\n";
  const SourceText source = [](const std::string&) { return std::string("y = 0.5 * x;\n"); };
  const std::string text = findings_text(take_double_advice(warnings), source, 3, "");
  INFO(text);
  CHECK(contains(text, "k.cu:1: advice: a float meets a double here"));
  CHECK_FALSE(contains(text, "host"));
}

TEST_CASE("the worst element stands beside what is accepted there") {
  set_colour(false);
  runs::RunRecord run = test::sample_run();
  runs::Check& check = run.cases[0].checks[0];
  check.wrong = 0;
  check.max_difference = 0.5;
  check.tolerance = 0.0;
  check.worst_difference = 0.008;
  check.worst_accepted = 0.01;
  const std::string text = correctness_report(run);
  INFO(text);
  CHECK(contains(text, "8.00e-03  1.00e-02  CORRECT"));
  CHECK_FALSE(contains(text, "5.00e-01"));
  check.wrong = 3;
  check.worst_difference = INFINITY;
  const std::string wrong = wrong_report(Project{}, run);
  INFO(wrong);
  CHECK(contains(wrong, "infinity among them"));
  CHECK_FALSE(contains(wrong, "inf "));
}

TEST_CASE("a wrong element that given code stored names the line that called it") {
  set_colour(false);
  runs::RunRecord run = test::sample_run();
  runs::Check& check = run.cases[0].checks[0];
  check.wrong = 1;
  check.first_wrong.emplace();
  check.first_wrong->index = {0};
  check.first_wrong->at = runs::SourceLine{"puzzles/39/given.cuh", 2};
  CHECK_FALSE(contains(wrong_report(Project{}, run), "called at"));
  check.first_wrong->called_from = runs::SourceLine{"puzzles/39/kernels.cu", 1};
  CHECK(contains(wrong_report(Project{}, run), "  called at puzzles/39/kernels.cu:1\n"));
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
