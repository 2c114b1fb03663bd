#include "runs/findings.h"

#include "tests/catch.h"

using namespace workbook;

namespace {

runs::Finding race(const std::string& on_case, std::int64_t count, runs::Reach reach) {
  runs::Finding finding;
  finding.klass = runs::FindingClass::race_shared;
  finding.at = {"kernels.cu", 20};
  finding.other = runs::SourceLine{"kernels.cu", 10};
  finding.on_case = on_case;
  finding.count = count;
  finding.reach = reach;
  finding.advice = std::string("what orders a ") + runs::word_of(reach);
  return finding;
}

std::vector<runs::Finding> all_of(const std::vector<runs::Finding>& found) {
  std::vector<runs::Finding> all;
  for (const runs::Finding& finding : found) runs::add_finding(all, finding);
  return all;
}

}  // namespace

TEST_CASE("what several cases find at one place is told once, with the count of the case it names") {
  const auto all = all_of({race("teaching", 4, runs::Reach::block), race("ragged", 100, runs::Reach::block)});
  REQUIRE(all.size() == 1);
  CHECK(all[0].on_case == "teaching");
  CHECK(all[0].count == 4);
  CHECK(all_of({race("teaching", 4, runs::Reach::block), race("teaching", 5, runs::Reach::block)})[0].count ==
        9);
  runs::Finding elsewhere = race("ragged", 7, runs::Reach::block);
  elsewhere.other->line = 11;
  CHECK(all_of({race("teaching", 4, runs::Reach::block), elsewhere}).size() == 2);
}

TEST_CASE("of one place an error stays rather than advice, and the race that reaches further") {
  const auto wide = all_of({race("teaching", 4, runs::Reach::warp), race("ragged", 100, runs::Reach::block)});
  REQUIRE(wide.size() == 1);
  CHECK(wide[0].advice == "what orders a block");
  CHECK(wide[0].on_case == "ragged");
  CHECK(wide[0].count == 100);
  runs::Finding harmless = race("teaching", 4, runs::Reach::grid);
  harmless.severity = runs::Severity::advice;
  const auto error = all_of({harmless, race("ragged", 2, runs::Reach::warp)});
  REQUIRE(error.size() == 1);
  CHECK(error[0].severity == runs::Severity::error);
  CHECK(all_of({race("ragged", 2, runs::Reach::warp), harmless})[0].severity == runs::Severity::error);
}
