#include "cli/project/failing_region.h"

#include "tests/catch.h"

using namespace workbook;
using namespace workbook::cli;

namespace {

constexpr const char* kSource =
    "// FILL ME IN: first (roughly 1 line)\n"
    "a();\n"
    "// END: first\n"
    "// FILL ME IN: second (roughly 1 line)\n"
    "b();\n"
    "// END: second\n";
constexpr const char* kFile = "puzzles/99_trial/kernels.cu";

VariantInfo variant() {
  VariantInfo variant;
  variant.name = "fused";
  variant.regions = {"first", "second"};
  return variant;
}

runs::RunRecord failed_run() {
  runs::RunRecord run;
  run.source = kSource;
  run.verdict = runs::Verdict::wrong;
  return run;
}

runs::RunRecord with_wrong_element(int line) {
  runs::RunRecord run = failed_run();
  runs::Check check;
  check.wrong = 1;
  check.first_wrong.emplace();
  check.first_wrong->at = runs::SourceLine{kFile, line};
  run.cases.emplace_back();
  run.cases[0].checks = {check};
  return run;
}

}  // namespace

TEST_CASE("the region of the line that stored the wrong element is at work, whatever stands above it") {
  CHECK(failing_region(with_wrong_element(5), variant(), "") == "second");
  CHECK(failing_region(with_wrong_element(2), variant(), "") == "first");
  CHECK(failing_region(with_wrong_element(60), variant(), "").empty());
  CHECK(failing_region(failed_run(), variant(), "").empty());
  VariantInfo other = variant();
  other.regions = {"first"};
  CHECK(failing_region(with_wrong_element(5), other, "").empty());
}

TEST_CASE("a wrong element that a header stored is of the region that called it") {
  runs::RunRecord run = with_wrong_element(2);
  runs::FirstWrong& first = *run.cases[0].checks[0].first_wrong;
  first.at->file = "puzzles/99_trial/given.cuh";
  CHECK(failing_region(run, variant(), "").empty());
  first.called_from = runs::SourceLine{kFile, 5};
  CHECK(failing_region(run, variant(), "") == "second");
}

TEST_CASE("an error's line comes before the wrong element's, and where a header was called from counts") {
  runs::RunRecord run = with_wrong_element(5);
  runs::Finding finding;
  finding.at = {"puzzles/99_trial/given.cuh", 2};
  finding.called_from = runs::SourceLine{kFile, 2};
  run.findings = {finding};
  CHECK(failing_region(run, variant(), "") == "first");
  run.findings[0].severity = runs::Severity::warning;
  CHECK(failing_region(run, variant(), "") == "second");
}

TEST_CASE("where the mistake is known, its region comes first") {
  const char* known =
      R"({"places": [], "mutants": [{"says": "a was forgotten", "regions": ["elsewhere", "first"], "tensors": []}]})";
  runs::RunRecord run = with_wrong_element(5);
  run.cases[0].diagnosis = "a was forgotten";
  CHECK(failing_region(run, variant(), known) == "first");
  run.cases[0].diagnosis = "something else";
  CHECK(failing_region(run, variant(), known) == "second");
  CHECK(failing_region(run, variant(), "damaged") == "second");
}

TEST_CASE("what does not compile is at the compiler's line") {
  runs::RunRecord run = failed_run();
  run.at = runs::SourceLine{kFile, 2};
  CHECK(failing_region(run, variant(), "") == "first");
}

TEST_CASE("where nothing points at a region, it is one that solved variants do not have") {
  std::vector<VariantInfo> all(3);
  all[0].name = "unfused", all[0].regions = {"dots", "sums"};
  all[1].name = "fused", all[1].regions = {"dots", "loop", "store"};
  all[2].name = "split", all[2].regions = {"dots", "loop", "combine"};
  CHECK(likeliest_region(all[1], all, {"unfused"}) == "loop");
  CHECK(likeliest_region(all[2], all, {"unfused", "fused"}) == "combine");
  CHECK(likeliest_region(all[1], all, {}) == "store");  // its own
  CHECK(likeliest_region(all[1], all, {"fused", "split"}) == "store");
  all[0].regions = {"dots"};
  CHECK(likeliest_region(all[0], all, {"fused"}) == "dots");
}
