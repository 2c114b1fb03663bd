#include "cli/report/finding_groups.h"

#include "cli/base/terminal.h"
#include "cli/report/report.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::cli;

namespace {

using runs::FindingClass;

runs::Finding finding(FindingClass klass, int line, int other, const std::string& object) {
  runs::Finding f;
  f.klass = klass;
  f.kernel = "k";
  f.at = {"kernels.cu", line};
  if (other > 0) f.other = runs::SourceLine{"kernels.cu", other};
  f.object = object;
  f.message = std::string(runs::word_of(klass)) + " at " + std::to_string(line);
  return f;
}

std::string no_source(const std::string&) { return ""; }

}  // namespace

TEST_CASE("one missing barrier is one cause, whichever lines and arrays meet there") {
  // Stores at 10 and 12, reads at 20 and 22: a barrier between 12 and 20 ends them all.
  const std::vector<runs::Finding> findings = {finding(FindingClass::race_shared, 20, 10, "rows[3]"),
                                               finding(FindingClass::race_shared, 10, 22, "rows[4]"),
                                               finding(FindingClass::race_shared, 20, 12, "sums[0]"),
                                               finding(FindingClass::uninit_shared, 20, 0, "rows[5]")};
  const auto groups = groups_of(findings);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].first == findings.data());
  CHECK(groups[0].more.size() == 3);
  const std::string text = findings_text(findings, no_source, 3, "nothing");
  // The finding shows lines 20 and 10 itself.
  CHECK(text.find("The same cause shows at lines 22, 12 (sums).") != std::string::npos);
}

TEST_CASE("threads that leave early pass by every barrier behind, which is one cause") {
  const auto groups = groups_of({finding(FindingClass::divergent_barrier, 72, 0, ""),
                                 finding(FindingClass::divergent_barrier, 76, 0, ""),
                                 finding(FindingClass::uninit_shared, 75, 0, "tile[0]")});
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].first->at.line == 72);
  // Threads that wait at two barriers for each other are another one.
  CHECK(groups_of({finding(FindingClass::divergent_barrier, 72, 0, ""),
                   finding(FindingClass::divergent_barrier, 76, 80, "")})
            .size() == 2);
}

TEST_CASE("where else the same cause shows is each line once, and none of the finding's own") {
  const auto text_of = [](const std::vector<runs::Finding>& findings) {
    return findings_text(findings, no_source, 3, "");
  };
  CHECK(text_of({finding(FindingClass::uninit_shared, 20, 0, "a[0]"),
                 finding(FindingClass::uninit_shared, 20, 0, "a[1]")})
            .find("same cause") == std::string::npos);
  CHECK(text_of({finding(FindingClass::race_shared, 20, 10, "a[0]"),
                 finding(FindingClass::race_shared, 10, 20, "b[0]")})
            .find("same cause") == std::string::npos);
  runs::Finding given = finding(FindingClass::race_shared, 20, 14, "a[0]");
  given.other->file = "given.cuh";
  CHECK(text_of({finding(FindingClass::race_shared, 20, 10, "a[0]"),
                 finding(FindingClass::race_shared, 22, 10, "a[0]"),
                 finding(FindingClass::race_shared, 22, 12, "a[0]"), given})
            .find("same cause shows at lines 22, 12, 14 of given.cuh.") != std::string::npos);
}

TEST_CASE("of races with one cause the one is shown whose advice is for all") {
  std::vector<runs::Finding> findings = {finding(FindingClass::race_shared, 20, 10, "a[0]"),
                                         finding(FindingClass::race_shared, 22, 12, "a[0]"),
                                         finding(FindingClass::race_shared, 21, 11, "a[0]")};
  findings[0].reach = runs::Reach::warp, findings[1].reach = runs::Reach::block,
  findings[2].reach = runs::Reach::warp;
  const auto groups = groups_of(findings);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].first == &findings[1]);
  CHECK(groups[0].more.size() == 2);
}

TEST_CASE("races that no one barrier ends are told apart") {
  CHECK(groups_of({finding(FindingClass::race_shared, 20, 10, "a[0]"),
                   finding(FindingClass::race_shared, 40, 30, "a[0]")})
            .size() == 2);
  // One line with itself wants another remedy than two lines.
  CHECK(groups_of({finding(FindingClass::race_shared, 20, 20, "a[0]"),
                   finding(FindingClass::race_shared, 25, 15, "a[0]")})
            .size() == 2);
  CHECK(groups_of({finding(FindingClass::race_shared, 20, 10, "a[0]"),
                   finding(FindingClass::race_global, 20, 10, "b[0]")})
            .size() == 2);
}

TEST_CASE("an index too far comes before the races that it makes, and once for its array") {
  const std::vector<runs::Finding> findings = {finding(FindingClass::race_shared, 20, 10, "a[0]"),
                                               finding(FindingClass::oob_shared, 20, 0, "a[64]"),
                                               finding(FindingClass::oob_shared, 24, 0, "a[65]")};
  const auto groups = groups_of(findings);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].first->klass == FindingClass::oob_shared);
  CHECK(groups[0].more.size() == 1);
}

TEST_CASE("a call that did nothing comes before what its memory then lacks") {
  std::vector<runs::Finding> findings = {finding(FindingClass::uninit_global, 20, 0, "a[0]"),
                                         finding(FindingClass::race_global, 22, 20, "b[0]"),
                                         finding(FindingClass::bad_api_call, 12, 0, "")};
  findings[2].kernel.clear();
  const auto groups = groups_of(findings);
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].first->klass == FindingClass::bad_api_call);
  CHECK(groups[2].first->klass == FindingClass::uninit_global);
}

TEST_CASE("one guard that is missing is one cause, and the race that it makes belongs to it") {
  std::vector<runs::Finding> findings = {finding(FindingClass::race_global, 12, 12, "out[3]"),
                                         finding(FindingClass::oob_global, 10, 0, "a[8]"),
                                         finding(FindingClass::oob_global, 12, 0, "out[64]"),
                                         finding(FindingClass::race_global, 14, 14, "sums[0]")};
  findings[1].advice = findings[2].advice = "Guard the access.";
  findings[0].reach = runs::Reach::grid;
  const auto groups = groups_of(findings);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].first == &findings[1]);
  CHECK(groups[0].more.size() == 2);
  CHECK(groups[1].first == &findings[3]);
  findings[2].advice = "The index goes up to 9 elements past the end of out.";
  CHECK(groups_of(findings).size() == 3);
}

TEST_CASE("three causes are shown in full, and the rest is counted by severity") {
  set_colour(false);
  std::vector<runs::Finding> findings;
  for (int line = 1; line <= 5; ++line)
    findings.push_back(
        finding(FindingClass::oob_global, line, 0, std::string(1, static_cast<char>('a' + line)) + "[0]"));
  findings.back().severity = runs::Severity::advice;
  const std::string text = findings_text(findings, no_source, 3, "`workbook run 1 --map --all` shows them");
  CHECK(text.find("kernels.cu:3: error:") != std::string::npos);
  CHECK(text.find("kernels.cu:4: error:") == std::string::npos);
  CHECK(text.find("and 1 error, 1 piece of advice more: `workbook run 1 --map --all` shows them.") !=
        std::string::npos);
}

TEST_CASE("a shape's sizes stand beside its name") {
  runs::Finding f = finding(FindingClass::oob_global, 1, 0, "a[0]");
  f.on_case = "ragged";
  runs::CaseResult ragged;
  ragged.name = "ragged";
  ragged.sizes = {{"B", 2}, {"H", 33}};
  CHECK(findings_text({f}, no_source, 3, "", {ragged}).find("shape ragged (B 2, H 33)") != std::string::npos);
}
