#include "cli/report/program_report.h"

#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook;
using namespace workbook::cli;

namespace {

runs::ProgramReport sample() {
  runs::ProgramReport report;
  report.gpu = "H200";
  report.diagnosing = true;
  runs::KernelTotals kernel;
  kernel.kernel = "scale";
  kernel.launches = 3;
  kernel.grid = {4, 1, 1};
  kernel.block = {64, 2, 1};
  kernel.counters.threads = 1536;
  kernel.counters.dram_bytes_read = 800;
  kernel.counters.dram_bytes_written = 400;
  kernel.counters.global_requests = 10;
  kernel.counters.l2_sectors = 40;
  kernel.modelled.emplace();
  kernel.modelled->gpu = "H200";
  kernel.modelled->total_us = 4.5;
  runs::SiteCounters site;
  site.kernel = "scale";
  site.at = {"./a folder/../scale.cu", 7};
  site.kind = runs::SiteKind::global_load;
  site.requests = 10;
  site.sectors = 40;
  site.ideal_sectors = 40;
  site.bytes = 1280;
  kernel.counters.sites.push_back(site);
  report.kernels.push_back(kernel);
  runs::Finding race;
  race.klass = runs::FindingClass::race_shared;
  race.kernel = "scale";
  race.at = {"scale.cu", 7};
  race.other = runs::SourceLine{"scale.cu", 9};
  race.who = runs::ThreadId{{1, 0, 0}, {2, 3, 0}};
  race.count = 12;
  race.message = "two threads";
  race.advice = "a barrier";
  race.object = "tile[3]";
  report.findings.push_back(race);
  runs::Finding advice;
  advice.klass = runs::FindingClass::uncoalesced;
  advice.severity = runs::Severity::advice;
  advice.kernel = "scale";
  advice.at = {"scale.cu", 7};
  report.findings.push_back(advice);
  return report;
}

ProgramRun run_of(const runs::ProgramReport& report, int exit_code, int signal = 0) {
  ProgramRun run;
  run.report = report;
  run.reported = true;
  run.process.exit_code = exit_code;
  run.process.signal = signal;
  return run;
}

}  // namespace

TEST_CASE("what a program leaves behind survives the way to the command") {
  const runs::ProgramReport report = sample();
  const std::string text = runs::dump(runs::to_json(report));
  CHECK(runs::dump(runs::to_json(runs::parse_program_report(text))) == text);
  CHECK_THROWS(runs::parse_program_report(text.substr(0, text.size() / 2)));
}

TEST_CASE("--report has findings, counters by line, and totals") {
  const runs::Json json = program_report_json(run_of(sample(), 0));
  const runs::Json& finding = json["findings"][0];
  CHECK(finding["class"] == "race_shared");
  CHECK(finding["severity"] == "error");
  CHECK(finding["kernel"] == "scale");
  CHECK(finding["file"] == "scale.cu");
  CHECK(finding["line"] == 7);
  CHECK(finding["other_line"] == 9);
  CHECK(finding["count"] == 12);
  CHECK(finding["message"] == "two threads");
  CHECK(finding["object"] == "tile[3]");
  CHECK(finding["who"]["block"] == runs::Json::array({1, 0, 0}));
  CHECK(finding["who"]["thread"] == runs::Json::array({2, 3, 0}));
  CHECK(finding["other_who"].is_null());
  CHECK(json["findings"][1]["other_line"].is_null());
  const runs::Json& counter = json["counters"][0];
  CHECK(counter["kernel"] == "scale");
  CHECK(counter["line"] == 7);
  CHECK(counter["kind"] == "global load");
  CHECK(counter["sectors_per_request"] == 4.0);
  CHECK(counter["launches"] == 3);
  const runs::Json& totals = json["totals"];
  CHECK(totals["launches"] == 3);
  CHECK(totals["threads"] == 1536);
  CHECK(totals["dram_bytes_read"] == 800);
  CHECK(totals["modelled_us"] == 4.5);
  CHECK(totals["gpu"] == "H200");
  CHECK(totals["errors"] == 1);
  CHECK(totals["advice"] == 1);
  CHECK(totals["exit"] == 1);
  CHECK(totals["program_exit"] == 0);
}

TEST_CASE("an error finding is status 1, a crash 4, else the program's own") {
  runs::ProgramReport clean = sample();
  clean.findings.erase(clean.findings.begin());
  CHECK(run_of(clean, 9).exit_status() == 9);
  CHECK(run_of(sample(), 9).exit_status() == 1);
  ProgramRun crashed = run_of(sample(), -1, 11);
  crashed.trouble = "it crashed";
  CHECK(crashed.exit_status() == 4);
  CHECK(run_of(clean, -1, 2).exit_status() == 130);
}

TEST_CASE("the summary counts, or says what was moved") {
  CHECK(contains_text("1 error, 1 piece of advice in 1 kernel")
            .match(program_report_text(run_of(sample(), 0), {})));
  runs::ProgramReport clean = sample();
  clean.findings.clear();
  CHECK(contains_text("no findings: 3 launches, 1.20 kB moved, 4.50 us modelled on an H200")
            .match(program_report_text(run_of(clean, 0), {})));
  clean.kernels.clear();
  CHECK(contains_text("no kernel was launched").match(program_report_text(run_of(clean, 0), {})));
}

TEST_CASE("paths are shown as they were typed") {
  test::TemporaryFolder folder;
  test::write(folder / "scale.cu", "");
  const std::string typed = (folder / "./scale.cu").string();
  const StagedProgram staged = stage_program({typed}, {}, folder / "tree");
  test::write(folder / "report.json", runs::dump(runs::to_json([&] {
                runs::ProgramReport report = sample();
                report.findings[0].at.file = (folder / "scale.cu").string();
                return report;
              }())));
  const ProgramRun run = read_program_run(folder / "report.json", {}, staged, {});
  CHECK(run.report.findings[0].at.file == typed);
  CHECK(run.report.findings[0].other->file == "scale.cu");
}
