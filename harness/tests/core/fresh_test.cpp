#include "core/fresh.h"

#include "core/prepare.h"
#include "runs/fresh_case.h"
#include "tests/catch.h"

namespace workbook::core {
namespace {

void nothing(const Dims&, HostTensors<double>&) {}

Task task() {
  Task task;
  task.tensors = {input("x", {"R", "C"}, uniform(0.0, 1.0))};
  task.cases =
      cases({"R", "C"},
            {{"teaching", {20, 40}}, {"one row", {1, 8}, {{"x", integers(1, 3)}}}, {"tall", {1000, 4}}});
  task.large = {{"R", 300}, {"C", 64}};
  task.bench = {{"R", 4096}, {"C", 1024}};
  task.reference = nothing;
  return task;
}

}  // namespace

TEST_CASE("fresh cases have sizes that nobody has seen, within what the task is checked at") {
  const Task of = task();
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    const FreshCases fresh = fresh_cases(of, of.cases, seed);
    REQUIRE(fresh.cases.size() == of.cases.size());
    for (const Case& each : fresh.cases) {
      CHECK(runs::is_fresh(each.name));
      const int rows = each.dims["R"], columns = each.dims["C"];
      CHECK((rows == 1 || (rows >= 20 && rows <= 1000)));
      CHECK((columns >= 4 && columns <= 64));
      CHECK(columns % 4 == 0);  // as all that are seen
      for (const Case& seen : of.cases) CHECK(seen.dims.items() != each.dims.items());
    }
    CHECK(fresh.cases[1].fills.size() == 1);
  }
}

TEST_CASE("a seed draws the same sizes and values each time, another others") {
  const Task of = task();
  const FreshCases one = fresh_cases(of, of.cases, 7), again = fresh_cases(of, of.cases, 7),
                   other = fresh_cases(of, of.cases, 8);
  bool differs = false;
  for (std::size_t i = 0; i < of.cases.size(); ++i) {
    CHECK(one.cases[i].dims.items() == again.cases[i].dims.items());
    differs = differs || one.cases[i].dims.items() != other.cases[i].dims.items();
  }
  CHECK(differs);
  const Case& which = one.cases.front();
  CHECK(prepare(of, which, false, 7).initial == prepare(of, which, false, 7).initial);
  CHECK(prepare(of, which, false, 7).initial != prepare(of, which, false, 8).initial);
}

TEST_CASE("without a seed a case's values are those that learners see") {
  CHECK(seed_of("x", "teaching", 0) == 0xfd56fbe3069c071bull);
}

}  // namespace workbook::core
