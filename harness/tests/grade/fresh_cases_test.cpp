// Fresh shapes that say nothing of a solution: those that the reference itself takes by luck alone.
#include "cli/grade/judged.h"
#include "runs/fresh_case.h"
#include "tests/catch.h"

namespace workbook::cli {
namespace {

runs::CaseResult result_of(const std::string& name, double difference, double accepted) {
  runs::CaseResult result;
  result.name = name;
  runs::Check& check = result.checks.emplace_back();
  check.total = 8, check.worst_difference = difference, check.worst_accepted = accepted;
  return result;
}

std::string fresh(const std::string& name) { return std::string(runs::kFresh) + name; }

}  // namespace

TEST_CASE("a fresh shape at the edge of what is accepted is left out, unless learners see such a one") {
  runs::RunRecord record;
  record.cases = {result_of("teaching", 1e-7, 1e-6), result_of(fresh("teaching"), 4e-7, 1e-6)};
  CHECK(close_case_of(record).empty());
  record.cases.push_back(result_of(fresh("short rows"), 9e-7, 1e-6));
  CHECK(close_case_of(record) == fresh("short rows"));
  record.cases.push_back(result_of("long rows", 9.5e-7, 1e-6));
  CHECK(close_case_of(record).empty());
}

TEST_CASE("what is exact is never close") {
  runs::RunRecord record;
  record.cases = {result_of(fresh("teaching"), 0.0, 0.0)};
  CHECK(close_case_of(record).empty());
}

}  // namespace workbook::cli
