#include "model/run_names.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

WallTime noon_of(int day) {
  using namespace std::chrono;
  return sys_days(year(2026) / November / day) + hours(12);
}

runs::RunHeader measured() {
  runs::RunHeader header;
  header.started_at = "2026-11-23T11:30:05.250Z";
  header.variant = "fused-block";
  header.origin = "solution";
  header.backend = runs::Backend::cuda;
  header.device = "NVIDIA H200";
  header.verdict = runs::Verdict::correct;
  return header;
}

}  // namespace

TEST_CASE("a run is called by whose it is, its variant, its device and its age") {
  CHECK(run_words(measured(), noon_of(25)) == "solution, fused-block, H200, 2 days ago");
  CHECK(run_words(measured(), {}) == "solution, fused-block, H200");
  runs::RunHeader own = measured();
  own.origin = "learner";
  own.device = "H200 (modelled)";
  CHECK(run_words(own, noon_of(23)) == "fused-block, H200 (modelled), 29 minutes ago");
  own.verdict = runs::Verdict::not_filled;
  CHECK(run_words(own, {}) == "fused-block, H200 (modelled), not filled");
}

TEST_CASE("an age has one unit, and a clock that is behind makes no run younger than now") {
  const std::string then = "2026-11-23T11:30:05.250Z";
  CHECK(age_words(then, noon_of(22)) == "just now");
  CHECK(age_words(then, noon_of(23) + std::chrono::hours(1)) == "1 hour ago");
  CHECK(age_words(then, noon_of(24)) == "1 day ago");
  CHECK(age_words("no time", noon_of(24)).empty());
}

TEST_CASE("typed words find what has words that begin so, whatever stands before these") {
  const std::string text = "solution, fused-block, H200 (modelled), 2 days ago #12";
  CHECK(words_match(text, ""));
  CHECK(words_match(text, "FUSED h200"));
  CHECK(words_match(text, "block mod"));
  CHECK(words_match(text, "#12"));
  CHECK_FALSE(words_match(text, "used"));
  CHECK_FALSE(words_match(text, "fused a100"));
}
