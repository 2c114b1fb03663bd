#include "core/declaration.h"

#include <functional>

#include "runs/json.h"
#include "sample_puzzle.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::core;

namespace {

using Faults = std::vector<std::string>;

/// What is said of the sample puzzle after `spoil`.
Faults faults_after(const std::function<void(Puzzle&)>& spoil) {
  Puzzle puzzle = sample::puzzle();
  spoil(puzzle);
  return faults_of(puzzle);
}

void run_nothing(Run&) {}

const std::vector<Refusal> kRefusesAll = {{1, "never"}};
const std::vector<Refusal> kRefusesEight = {{Bound("C") > 7, "no eight columns"}};

const Tensor kBetween{.name = "between", .role = Role::intermediate, .shape = {"N"}};

}  // namespace

TEST_CASE("the sample puzzle has no faults") {
  CHECK(faults_of(sample::puzzle()).empty());
  CHECK(faults_of(sample::puzzle(), {{"plain", run_nothing}}).empty());
}

TEST_CASE("a puzzle builds on those before it") {
  CHECK(faults_after([](Puzzle& p) { p.number = 3, p.builds_on = {1, 2}; }).empty());
  CHECK(faults_after([](Puzzle& p) { p.number = 3, p.builds_on = {3}; }) ==
        Faults{"it builds on puzzle 3, which does not come before it."});
}

TEST_CASE("a fault of a tensor is said by its name") {
  const auto spoilt = [](std::size_t which, const std::function<void(Tensor&)>& spoil) {
    return faults_after([&](Puzzle& p) { spoil(p.tasks[0].tensors[which]); });
  };
  CHECK(spoilt(1, [](Tensor& t) { t.tolerance.reset(); }) ==
        Faults{"the tensor 'y' is an output without a tolerance."});
  CHECK(spoilt(1, [](Tensor& t) { t.tolerance->source = ""; }) ==
        Faults{"the tensor 'y' has a tolerance that does not say where it comes from."});
  CHECK(spoilt(1, [](Tensor& t) { t.shape.clear(); }) == Faults{"the tensor 'y' has no shape."});
  CHECK(spoilt(1, [](Tensor& t) { t.fill = one_hot(); }) ==
        Faults{"the tensor 'y' has a fill, and does not start filled: .start = Start::filled."});
  CHECK(spoilt(1, [](Tensor& t) { t.start = Start::filled; }) == Faults{"the tensor 'y' has no fill."});
  CHECK(spoilt(0, [](Tensor& t) { t.fill = {}; }) == Faults{"the tensor 'x' has no fill."});
  CHECK(spoilt(0, [](Tensor& t) { t.start = Start::zeroed; }) ==
        Faults{"the tensor 'x' is an input: it starts with its fill and has no .start."});
  CHECK(spoilt(0, [](Tensor& t) { t.tolerance = exact("?"); }) ==
        Faults{"the tensor 'x' is an input and has a tolerance."});
  CHECK(spoilt(1, [](Tensor& t) { t.name = "x"; }) == Faults{"two tensors are called 'x'."});
}

TEST_CASE("a size that is none is said with its case and tensor") {
  const Faults faults = faults_after([](Puzzle& p) { p.tasks[0].tensors[0].shape = {"N", "Q"}; });
  REQUIRE(faults.size() == 3);  // in the one case, in large, in bench
  CHECK(faults[0] == "case 'teaching': the tensor 'x': the size 'Q': no dimension is called 'Q'.");
  CHECK_THAT(faults_after([](Puzzle& p) { p.tasks[0].tensors[0].fill = index_into("V"); }).at(0),
             contains_text("the size 'V': no dimension is called 'V'"));
  CHECK(faults_after([](Puzzle& p) { p.tasks[0].tensors[0].shape = {"N-50"}; }).at(0) ==
        "case 'teaching': the tensor 'x' has a negative size.");
  CHECK(faults_after([](Puzzle& p) {
          p.tasks[0].large = {{"N", 0}, {"C", 1}};
        }) == Faults{"case 'large': N is 0."});
}

TEST_CASE("a tensor that no variant uses is a fault") {
  CHECK(faults_after([](Puzzle& p) { p.tasks[0].tensors.push_back(kBetween); }) ==
        Faults{"no variant uses the tensor 'between'."});
  CHECK(faults_after([](Puzzle& p) {
          p.tasks[0].tensors.push_back(p.tasks[0].tensors[1]);
          p.tasks[0].tensors[2].name = "z";
          p.variants[0].outputs = {"y"};
        }) == Faults{"no variant uses the tensor 'z'."});
}

TEST_CASE("a misspelt intermediate or output is a fault") {
  const auto variant = [](const std::function<void(Variant&)>& spoil) {
    return faults_after([&](Puzzle& p) {
      p.tasks[0].tensors.push_back(kBetween);
      p.variants[0].intermediates = {"between"};
      spoil(p.variants[0]);
    });
  };
  CHECK(variant([](Variant&) {}).empty());
  CHECK(variant([](Variant& v) { v.intermediates.push_back("betwen"); }) ==
        Faults{"variant 'plain': it names an intermediate 'betwen', which is not there."});
  CHECK(variant([](Variant& v) { v.intermediates.push_back("y"); }) ==
        Faults{"variant 'plain': it names an intermediate 'y', which is not there."});
  CHECK(variant([](Variant& v) {
          v.outputs = {"y", "yy"};
        }) == Faults{"variant 'plain': it names an output 'yy', which is not there."});
}

TEST_CASE("a fill of a case must be of a tensor that has one") {
  const auto filled = [](std::string_view tensor) {
    return faults_after([&](Puzzle& p) { p.tasks[0].cases[0].fills = {{tensor, normal(0.0, 1.0)}}; });
  };
  CHECK(filled("x").empty());
  CHECK(filled("X") == Faults{"case 'teaching' fills the tensor 'X', which is not there."});
  CHECK(filled("y") == Faults{"case 'teaching' fills the tensor 'y', which does not start filled."});
}

TEST_CASE("a variant's faults are said with its name") {
  const auto variant = [](const std::function<void(Variant&)>& spoil) {
    return faults_after([&](Puzzle& p) { spoil(p.variants[0]); });
  };
  CHECK(
      variant([](Variant& v) { v.regions.clear(); }) ==
      Faults{
          "variant 'plain': it names no regions for the learner to fill, nor the mutant as which the file begins."});
  CHECK(variant([](Variant& v) { v.title = ""; }) == Faults{"variant 'plain': it has no title."});
  CHECK(variant([](Variant& v) { v.summary = ""; }) == Faults{"variant 'plain': it has no summary."});
  CHECK(variant([](Variant& v) { v.refuses = kRefusesAll; }) ==
        Faults{"variant 'plain': it refuses the teaching shape.",
               "variant 'plain': it refuses the bench shape."});
  CHECK(variant([](Variant& v) { v.refuses = kRefusesEight; }) ==
        Faults{"variant 'plain': it refuses the bench shape."});
  CHECK(faults_after([](Puzzle& p) { p.variants.push_back(p.variants[0]); }) ==
        Faults{"two variants are called 'plain'."});
  CHECK(faults_after([](Puzzle& p) {
          p.variants.push_back(p.variants[0]);
          p.variants[1].name = "other";
          p.variants[1].task = "forward";
        }) == Faults{"variant 'other': there is no task 'forward'."});
}

TEST_CASE("a bound that cannot be computed is said with its case") {
  const std::string no_size = "case 'teaching': the size 'Q': no dimension is called 'Q'.";
  CHECK(faults_after([](Puzzle& p) { p.variants[0].budget.global_reads = "2*Q"; }).at(0) ==
        "variant 'plain': case 'teaching': the size '2*Q': no dimension is called 'Q'.");
  CHECK(faults_after([](Puzzle& p) { p.variants[0].budget.waves = ceil(Bound("N") / Bound("Q")); }) ==
        Faults{"variant 'plain': " + no_size});
  CHECK(faults_after([](Puzzle& p) {
          p.variants[0].refuses = {{Bound("Q") > 1, "never"}};
        }) == Faults{"variant 'plain': " + no_size});
  CHECK(faults_after([](Puzzle& p) { p.tasks[0].tensors[1].tolerance->relative = "Q"; }).at(0) ==
        "case 'teaching': the tensor 'y': the size 'Q': no dimension is called 'Q'.");
}

TEST_CASE("cases of a table have the sizes of its head") {
  const std::vector<Case> all = cases({"R", "C"}, {{"one", {1, 2}, {{"x", one_hot()}}}, {"short", {3}}});
  CHECK(all.at(0).dims["R"] == 1);
  CHECK(all.at(0).dims["C"] == 2);
  CHECK(all.at(0).fills.at(0).first == "x");
  CHECK(faults_after([&](Puzzle& p) { p.tasks[0].cases.push_back(all.at(1)); }) ==
        Faults{"case 'short': it has no sizes, or not as many as its table's head."});
}

TEST_CASE("a program must be asked for something") {
  const auto program = [](const Program& asked) {
    return faults_after([&](Puzzle& p) {
      p.variants.push_back({.name = "bug", .title = "BUG", .summary = "Find it", .regions = {"fix"}});
      p.variants[1].program = asked;
    });
  };
  CHECK(
      program({}) ==
      Faults{
          "variant 'bug': nothing is asked of the program: neither prints nor findings nor calls nor answers."});
  CHECK(program({.prints = {"42"}}).empty());
  CHECK(program({.findings = {"race_shared"}}).empty());
  CHECK(program({.answers = {{"line", "7"}}}).empty());
}

TEST_CASE("what is missing of a puzzle is said") {
  CHECK(faults_of(Puzzle{}) == Faults{"it has no number.", "it has no title.", "it has no part.",
                                      "it has no summary.", "it has no variants."});
  CHECK(faults_after([](Puzzle& p) { p.tasks[0].reference = nullptr; }) == Faults{"it has no reference."});
  CHECK(faults_after([](Puzzle& p) { p.tasks[0].large = {}; }) == Faults{"it has no large shape."});
  CHECK(faults_after([](Puzzle& p) { p.tasks[0].bench = {}; }) == Faults{"it has no bench shape."});
  CHECK(faults_after([](Puzzle& p) { p.tasks[0].cases.clear(); }) == Faults{"it has no cases."});
  CHECK(faults_after([](Puzzle& p) { p.tasks[0].cases.push_back(p.tasks[0].cases[0]); }) ==
        Faults{"two cases are called 'teaching'."});
}

TEST_CASE("tasks have tensors and variants of their own") {
  Puzzle puzzle = sample::puzzle();
  Task forward = sample::task(), backward = sample::task();
  forward.name = "forward", backward.name = "backward";
  backward.tensors[1].name = "dx";
  puzzle.tasks = {forward, backward};
  puzzle.variants.push_back(puzzle.variants[0]);
  puzzle.variants[0].task = "forward";
  puzzle.variants[1].name = "back", puzzle.variants[1].task = "backward", puzzle.variants[1].outputs = {"dx"};
  CHECK(faults_of(puzzle).empty());
  CHECK(find_tensor(task_of(puzzle, puzzle.variants[1]), "dx") != nullptr);

  Puzzle other = puzzle;
  other.variants[1].outputs = {"y"};
  CHECK(faults_of(other) == Faults{"task 'backward': no variant uses the tensor 'dx'.",
                                   "variant 'back': it names an output 'y', which is not there."});
  other = puzzle;
  other.tasks[1].name = "forward";
  CHECK(faults_of(other).at(0) == "two tasks are called 'forward'.");
  other = puzzle;
  other.tensor_program = "rmsnorm_linear";
  CHECK(faults_of(other) == Faults{"it names a tensor program, which goes with one task, and has several."});
}

TEST_CASE("every variant has its launcher, and every launcher its variant") {
  const Puzzle puzzle = sample::puzzle();
  CHECK(faults_of(puzzle, {}) == Faults{"launches.cu has no launcher for the variant 'plain'."});
  CHECK(faults_of(puzzle, {{"plain", run_nothing}, {"plian", run_nothing}}) ==
        Faults{"launches.cu launches a variant 'plian', which is not declared."});
}

TEST_CASE("a puzzle is described as lists, reports and the book read it") {
  Puzzle puzzle = sample::puzzle();
  puzzle.variants.push_back(puzzle.variants[0]);
  puzzle.variants[1].name = "bug";
  puzzle.variants[1].program = Program{.prints = {"42"}, .answers = {{"line", "7|8"}}};
  const runs::Json json = runs::parse_json(describe(puzzle));
  CHECK(json.at("number") == 1);
  CHECK_FALSE(json.contains("tensor_program"));
  puzzle.tensor_program = "softmax";
  CHECK(runs::parse_json(describe(puzzle)).at("tensor_program") == "softmax");
  const runs::Json& task = json.at("tasks").at(0);
  CHECK(task.at("teaching") == runs::Json{{"N", 6}, {"C", 4}});
  CHECK(task.at("large").at("N") == 100);
  CHECK(task.at("bench").at("C") == 8);
  CHECK(task.at("tensors").at(0) ==
        runs::Json{{"name", "x"}, {"role", "input"}, {"type", "f32"}, {"shape", {"N", "C"}}});
  CHECK(task.at("tensors").at(1).at("tolerance") == "two roundings of a number below 16");
  CHECK_FALSE(json.at("variants").at(0).contains("program"));
  const runs::Json& variant = json.at("variants").at(1);
  CHECK(variant.at("file") == "kernels.cu");
  CHECK(variant.at("regions") == runs::Json{"body"});
  CHECK(variant.at("program").at("answers").at("line") == "7|8");
  CHECK(json.at("faults").empty());
}
