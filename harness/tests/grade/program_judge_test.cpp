#include "cli/grade/program_judge.h"

#include "tests/catch.h"

using namespace workbook::cli;

namespace {

VariantInfo with_fresh() {
  VariantInfo variant;
  variant.name = "one";
  variant.begins = "as_found";
  ProgramInfo& program = variant.program.emplace();
  program.prints = {"3 of 7", "the same"};
  program.fresh = {{"kSize = 7", "kSize = #", 10, 99}};
  program.fresh_arguments = {"--prompt", "a # b"};
  program.answers = {{"question", "answer"}};
  program.results = "f32";
  return variant;
}

std::string floats(std::initializer_list<float> values) {
  return {reinterpret_cast<const char*>(std::data(values)), values.size() * sizeof(float)};
}

}  // namespace

TEST_CASE("fresh data are the same for the same seed, and others for another") {
  const VariantInfo variant = with_fresh();
  const std::string text = "const int kSize  =\n 7;";
  const auto one = fresh_program(variant, text, 1), again = fresh_program(variant, text, 1),
             other = fresh_program(variant, text, 2);
  REQUIRE(one);
  CHECK(one->missing == "");
  CHECK(one->text == again->text);
  CHECK(one->text != other->text);
  CHECK(one->text.starts_with("const int kSize = "));
  CHECK(one->variant.program->arguments.size() == 2);
  CHECK(one->variant.program->arguments == again->variant.program->arguments);
  CHECK(one->variant.program->answers.empty());
  CHECK(fresh_program(variant, "const int kSize = 8;", 1)->missing == "kSize = 7");
}

TEST_CASE("of fresh output the lines are asked for that the declared texts stand in no longer") {
  auto fresh = fresh_program(with_fresh(), "kSize = 7", 1);
  expect_fresh(*fresh, "3 of 7 are\nthe same\n", "5 of 41 are\nthe same\n", 1);
  CHECK(fresh->variant.program->prints == std::vector<std::string>{"5 of 41 are", "the same"});
  CHECK(fresh->variant.program->status == 1);
}

TEST_CASE("results are those that reached the host, near enough where they are float") {
  const VariantInfo variant = with_fresh();
  const std::string right = floats({1.0f, 2.0f});
  CHECK(differing_results(variant, {floats({9.0f}), floats({1.00001f, 2.0f})}, {right}) == "");
  CHECK(differing_results(variant, {floats({1.01f, 2.0f})}, {right}) != "");
  CHECK(differing_results(variant, {floats({1.0f, 2.0f, 3.0f})}, {right}) != "");
  CHECK(differing_results(variant, {}, {}) == "");
}

TEST_CASE("what of a file is the learner's") {
  VariantInfo variant = with_fresh();
  CHECK(learners_part(variant) == LearnersPart::file);
  variant.begins.clear();
  CHECK(learners_part(variant) == LearnersPart::answers);
  variant.regions = {"one"};
  CHECK(learners_part(variant) == LearnersPart::regions);
}
