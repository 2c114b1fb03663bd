// A learner's graph: equal, or the line that cannot belong to the program and small numbers that show it.
#include "optimizer/judge/check.h"

#include "optimizer/language/text.h"
#include "tests/catch.h"
#include "tests/optimizer/programs.h"

using namespace workbook::opt;
using workbook::test::shipped;

namespace {

Checked checked(const Program& program, const std::string& text) {
  std::vector<int> lines;
  const Graph graph = parse_graph(program, text, "mine", &lines);
  return check(program, graph, lines, Inputs::uniform);
}

}  // namespace

TEST_CASE("an equal graph is equal, whatever its spelling") {
  const Program program = shipped("rmsnorm_linear");
  const Checked result =
      checked(program, "s = sum(h, x * x)\nr = sqrt(s / h + eps)\nm = sum(h, x * g * w)\ny = m / r\n");
  CHECK(result.verified.equal);
  CHECK(result.numerics.within);
  CHECK_FALSE(result.example);
}

TEST_CASE("an unequal one names its first foreign line and the smallest numbers") {
  const Program program = shipped("lora_linear");
  const Checked result = checked(
      program, "down = sum(h, x * a)\nextra = sum(h, x * x)\ny = sum(h, x * w) + sum(r, down * u) + extra\n");
  CHECK_FALSE(result.verified.equal);
  REQUIRE(result.foreign);
  CHECK(result.foreign->line == 2);
  CHECK(result.foreign->text == "x * x");
  REQUIRE(result.example);
  // One element at each extent, all zero but x: 0 instead of 1.
  for (std::size_t i = 0; i < 4; ++i) CHECK(result.example->extents[i] == 1);
  CHECK(result.example->inputs.front() == std::pair<std::string, std::string>{"x", "[[1]]"});
  CHECK(result.example->inputs[1].second == "[[0]]");
  CHECK(result.example->theirs == 1.0);
  CHECK(result.example->programs == 0.0);
  CHECK(result.example->place == "y[0,0]");
}

TEST_CASE("parts that could all belong are said to, where only the whole is wrong") {
  const Program program = shipped("rmsnorm_linear");
  const Checked result = checked(program, "y = sum(h, x * w) / rms(h, x)\n");
  CHECK_FALSE(result.verified.equal);
  CHECK_FALSE(result.foreign);
  REQUIRE(result.example);
}

TEST_CASE("an extent is 2 where 1 would not show it") {
  const Program program =
      workbook::test::parsed("index b = 2, h = 4\ninput x[b,h]\ny = sum(h, x * x)\noutput y[b]\n");
  const Checked result = checked(program, "s = sum(h, x)\ny = s * s\n");  // the square of a sum
  REQUIRE(result.example);
  CHECK(result.example->extents[0] == 1);
  CHECK(result.example->extents[1] == 2);
  CHECK(result.example->inputs.front().second == "[[1, 1]]");
}

TEST_CASE("two indices on one axis are a fault that names both") {
  const Program program = shipped("qknorm_attention");
  try {
    parse_graph(program, "kn = k / rms(d, k)\nscores = q + kn\ny = scores * v\n", "mine");
    FAIL("it was taken");
  } catch (const TextError& error) {
    CHECK(error.line == 2);
    CHECK_THAT(error.sentence, contains_text("one side has s and the other t"));
  }
}

TEST_CASE("a graph without an output line is at fault where its output is made") {
  const Program program = shipped("rmsnorm_linear");
  try {
    parse_graph(program, "m = x * g\ny = sum(h, m)\n", "mine");
    FAIL("it was taken");
  } catch (const TextError& error) {
    CHECK(error.line == 2);
    CHECK_THAT(error.sentence, contains_text("y has b, and the program's has b and o"));
  }
}
