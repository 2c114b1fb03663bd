#include "runs/json.h"

#include <cmath>

#include "tests/catch.h"
#include "tests/sample_run.h"

using namespace workbook;

namespace {

std::string message_of(const std::string& text) {
  try {
    runs::parse_run(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a record survives JSON both ways") {
  const runs::RunRecord run = test::sample_run();
  const std::string text = runs::dump(runs::to_json(run));
  CHECK(runs::dump(runs::to_json(runs::parse_run(text))) == text);
}

TEST_CASE("NaN travels as null and infinities as text") {
  runs::RunRecord run = test::sample_run();
  run.cases[0].checks[0].first_wrong->expected = -double{INFINITY};
  const runs::RunRecord back = runs::parse_run(runs::dump(runs::to_json(run)));
  CHECK(std::isnan(back.cases[0].checks[0].max_difference));
  CHECK(std::isnan(back.cases[0].checks[0].first_wrong->got));
  CHECK(back.cases[0].checks[0].first_wrong->expected == -double{INFINITY});
}

TEST_CASE("sizes keep the order of their declaration") {
  const runs::RunRecord back = runs::parse_run(runs::dump(runs::to_json(test::sample_run())));
  CHECK(back.cases[0].sizes == runs::Sizes{{"S", 4}, {"B", 4}, {"H", 8}});
}

TEST_CASE("bad input is answered with a sentence that names the place") {
  CHECK(contains(message_of("{\"id\": 1,"), "not JSON"));
  CHECK(contains(message_of("[]"), "should be an object"));

  runs::Json json = runs::to_json(test::sample_run());
  json["benchmarks"][0]["launches"][0].erase("grid");
  CHECK(contains(message_of(json.dump()), "'benchmarks[0].launches[0].grid' is missing"));

  json = runs::to_json(test::sample_run());
  json["puzzle"] = "22";
  CHECK(contains(message_of(json.dump()), "'puzzle' should be a whole number"));

  json = runs::to_json(test::sample_run());
  json["findings"][0]["colour"] = "red";
  CHECK(contains(message_of(json.dump()),
                 "a newer program wrote this run record: 'findings[0].colour' is no field"));

  json = runs::to_json(test::sample_run());
  json["puzzle"] = 1e10;
  CHECK_FALSE(message_of(json.dump()).empty());
}

TEST_CASE("a record from before a field was added reads without it") {
  runs::Json json = runs::to_json(test::sample_run());
  json["benchmarks"][0]["launches"][0]["counters"].erase("warp_operations");
  CHECK(runs::run_from_json(json).benchmarks[0].launches[0].counters->warp_operations == 0);
}

TEST_CASE("bytes that are not UTF-8 in a learner's output do not stop the record") {
  runs::RunRecord run = test::sample_run();
  run.learner_output = "\xff\xfe garbage \x80";
  CHECK_NOTHROW(runs::parse_run(runs::dump(runs::to_json(run))));
}

TEST_CASE("every verdict has its exit status") {
  using enum runs::Verdict;
  CHECK(runs::exit_status(correct) == 0);
  for (const runs::Verdict verdict : {wrong, finding, not_filled}) CHECK(runs::exit_status(verdict) == 1);
  CHECK(runs::exit_status(does_not_compile) == 3);
  for (const runs::Verdict verdict : {crashed, timed_out}) CHECK(runs::exit_status(verdict) == 4);
  CHECK(runs::exit_status(harness_error) == 5);
}

TEST_CASE("a word that no record has is refused, with its place") {
  runs::Json json = runs::to_json(test::sample_run());
  json["findings"][0]["severity"] = "dreadful";
  CHECK_THROWS_WITH(runs::run_from_json(json), contains_text("'findings[0].severity' is 'dreadful'"));
  CHECK(runs::from_word<runs::Severity>("advice") == runs::Severity::advice);
  CHECK(!runs::from_word<runs::Verdict>("good"));
}
