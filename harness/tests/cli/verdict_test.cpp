#include "cli/run/verdict.h"

#include "tests/catch.h"

using namespace workbook;
using namespace workbook::cli;

namespace {

runs::Finding finding_of(runs::FindingClass klass) {
  runs::Finding finding;
  finding.klass = klass;
  finding.severity = runs::Severity::error;
  finding.at = {"kernels.cu", 7};
  finding.message = "what it says";
  return finding;
}

Phase ended(runs::Verdict how) {
  Phase phase;
  phase.ran = true;
  phase.ended = how;
  phase.detail = "no end after 3 s";
  return phase;
}

}  // namespace

TEST_CASE("what was found before a limit of time is told, and is the verdict") {
  Phases phases;
  phases.check = ended(runs::Verdict::timed_out);
  phases.check.report.findings = {finding_of(runs::FindingClass::oob_shared)};
  runs::RunRecord record;
  assemble(phases, record);
  CHECK(record.verdict == runs::Verdict::finding);
  REQUIRE(record.findings.size() == 1);
  CHECK(record.detail.find("no end after 3 s") != std::string::npos);
}

TEST_CASE("a limit of time of its own is no crash") {
  Phases phases;
  phases.check = ended(runs::Verdict::timed_out);
  runs::RunRecord record;
  assemble(phases, record);
  CHECK(record.verdict == runs::Verdict::timed_out);
}

TEST_CASE("a finding of the diagnosing build is the cause of a crash of the fast one") {
  Phases phases;
  phases.check.ran = true;
  phases.check.report.findings = {finding_of(runs::FindingClass::misaligned)};
  phases.large = ended(runs::Verdict::crashed);
  runs::RunRecord record;
  assemble(phases, record);
  CHECK(record.verdict == runs::Verdict::finding);
  CHECK(record.detail.empty());
}

TEST_CASE("of two findings at a line the more severe is told, whichever came first") {
  runs::Finding warning = finding_of(runs::FindingClass::divergent_barrier), error = warning;
  warning.severity = runs::Severity::warning;
  error.other = runs::SourceLine{"kernels.cu", 9};
  for (const auto& findings : {std::vector{warning, error}, std::vector{error, warning}}) {
    Phases phases;
    phases.check.ran = true;
    phases.check.report.findings = findings;
    runs::RunRecord record;
    assemble(phases, record);
    CHECK(record.verdict == runs::Verdict::finding);
    REQUIRE(record.findings.size() == 1);
    CHECK(record.findings.front().severity == runs::Severity::error);
  }
}

TEST_CASE("a crash tells what was found before it") {
  Phases phases;
  phases.check = ended(runs::Verdict::crashed);
  phases.check.report.findings = {finding_of(runs::FindingClass::race_global)};
  runs::RunRecord record;
  assemble(phases, record);
  CHECK(record.verdict == runs::Verdict::crashed);
  CHECK(record.findings.size() == 1);
}
