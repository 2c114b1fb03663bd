// Runs the tests of the .cu files in the simulator: their values, and that clean kernels are quiet.
#include <fstream>
#include <optional>

#include "device_test.h"
#include "sim/check/diagnosis.h"
#include "sim/engine/arena.h"
#include "sim/engine/launch.h"
#include "tests/catch.h"

extern "C" bool workbook_sim_is_diagnosing();

namespace device_test {
namespace {

struct Expected {
  std::string klass, file, mark;
};

std::vector<std::string> failures;
std::optional<Expected> expected;
std::optional<workbook::runs::LaunchCounters> counters;

int marked_line(const std::string& path, const std::string& mark) {
  std::ifstream file(path);
  std::string text;
  for (int line = 1; std::getline(file, text); ++line)
    if (text.ends_with("// mark: " + mark)) return line;
  return -1;
}

std::string described(const workbook::runs::Finding& finding) {
  return std::string(word_of(finding.klass)) + " at " + finding.at.file + ":" +
         std::to_string(finding.at.line) + ": " + finding.message;
}

void check_findings(const std::vector<workbook::runs::Finding>& findings) {
  if (!expected) {
    for (const auto& finding : findings)
      if (finding.severity == workbook::runs::Severity::error)
        FAIL_CHECK("not quiet: " << described(finding));
    return;
  }
  const int line = marked_line(expected->file, expected->mark);
  for (const auto& finding : findings) {
    INFO(described(finding));
    if (word_of(finding.klass) == expected->klass &&
        (finding.at.line == line || (finding.other && finding.other->line == line)))
      return;
  }
  for (const auto& finding : findings) UNSCOPED_INFO("found: " << described(finding));
  FAIL_CHECK("no " << expected->klass << " at line " << line);
}

}  // namespace

std::vector<Test>& all() {
  static std::vector<Test> tests;
  return tests;
}

void fail(const std::string& what) { failures.push_back(what); }

void expect_finding(const char* klass, const char* file, const char* mark) { expected = {klass, file, mark}; }

bool latest_traffic(long long& requests, long long& bytes) {
  if (!counters) return false;
  requests = bytes = 0;
  for (const auto& site : counters->sites) {
    requests += site.requests;
    bytes += site.bytes;
  }
  return true;
}

bool latest_tensor_flops(double& flops) {
  if (!counters) return false;
  flops = counters->tensor_flops;
  return true;
}

TEST_CASE("device code computes what a GPU computes, and clean code is quiet") {
  using namespace workbook::sim;
  for (const Test& test : all()) {
    DYNAMIC_SECTION(test.says) {
      Arena::get().release_all();
      failures.clear();
      expected.reset();
      counters.reset();
      Diagnosis::get().modes = {.check = true, .count = true};
      if (workbook_sim_is_diagnosing())
        launch_settings().on_finished = [](const FinishedLaunch& launch) { counters = launch.counters; };
      test.run();
      launch_settings().on_finished = nullptr;
      for (const std::string& failure : failures) UNSCOPED_INFO(failure);
      CHECK(failures.empty());
      const auto findings = Diagnosis::get().findings.take();
      if (workbook_sim_is_diagnosing()) check_findings(findings);
    }
  }
}

}  // namespace device_test
