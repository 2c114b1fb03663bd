#include <cmath>

#include "sample_puzzle.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::core;

TEST_CASE("inputs are the same every time and differ between cases") {
  Puzzle puzzle = sample::puzzle();
  Case other = puzzle.cases[0];
  other.name = "another";
  const auto first = prepare(puzzle, puzzle.cases[0], false).inputs.arrays["x"];
  CHECK(first == prepare(puzzle, puzzle.cases[0], false).inputs.arrays["x"]);
  CHECK(first != prepare(puzzle, other, false).inputs.arrays["x"]);
}

TEST_CASE("inputs have the distribution that was asked for, checked and timed alike") {
  Puzzle puzzle = sample::puzzle();
  const Case large{.name = "large", .dims = {{"N", 50000}, {"C", 4}}};
  for (const bool checked : {true, false}) {
    double sum = 0, squares = 0;
    const auto x = prepare(puzzle, large, checked).inputs.arrays["x"];
    for (const double v : x) sum += v, squares += v * v;
    const double mean = sum / static_cast<double>(x.size());
    CHECK(std::abs(mean - 0.5) < 0.03);
    CHECK(std::abs(std::sqrt(squares / static_cast<double>(x.size()) - mean * mean) - 2.0) < 0.03);
  }
}

TEST_CASE("what a reference does not write stays NaN") {
  Puzzle puzzle = sample::puzzle();
  puzzle.reference = [](const Dims&, HostTensors<double>& t) { t["y"][0] = 1.0; };
  const auto y = prepare(puzzle, puzzle.cases[0], true).reference.arrays["y"];
  CHECK(y[0] == 1.0);
  CHECK(std::isnan(y[1]));
}

TEST_CASE("a workload has the variant's tensors only, by position") {
  Puzzle puzzle = sample::puzzle();
  puzzle.tensors.insert(puzzle.tensors.begin() + 1,
                        Tensor{.name = "between", .role = Role::intermediate, .shape = {"N"}});
  const Prepared data = prepare(puzzle, puzzle.cases[0], true);
  CHECK(make_workload(puzzle, {.name = "plain"}, data).tensors.size() == 2);
  const Workload with = make_workload(puzzle, {.name = "long", .intermediates = {"between"}}, data);
  REQUIRE(with.tensors.size() == 3);
  CHECK(with.tensors[1].name == "between");
  CHECK(with.tensors[1].id == 1);
  CHECK(with.initial[0].size() == 24);
  CHECK(with.initial[1].empty());
}
