#include "cli/project/declaration.h"

#include <stdexcept>

#include "tests/catch.h"

using namespace workbook::cli;

TEST_CASE("a declaration is read by its designated initialisers") {
  const Declaration read = read_declaration(R"(
    double tolerance(const Dims&) { return 1e-5; }  // { an unpaired brace in code before it
    const workbook::Puzzle workbook::puzzle = {
        .number = 22,
        .title = "LayerNorm + Linear",  // a comment, with "quotes" and {braces}
        .part = "Part V: your kernel",
        .summary = "Two texts " "are one, \"quoted\"",
        .tensors = {{.name = "x", .shape = {"B", "H"}, .fill = normal(0.75, 1.5), .tolerance = tolerance}},
        .large = {{"N", 100'003}},
        .bench = {{"N", 1 << 24}},
        .suspects = {{"nothing was added: a, b", wrong<Slip::none>}},
        .variants = {
            {.name = "unfused", .title = "UNFUSED", .summary = "Four launches", .regions = {"layernorm"}, .run = run},
            {.name = "fused-block", .title = "FUSED", .summary = "One", .regions = {"rows", "outputs"}, .run = run, .required = false},
        },
    };)");
  CHECK(read.number == 22);
  CHECK(read.title == "LayerNorm + Linear");
  CHECK(read.summary == "Two texts are one, \"quoted\"");
  REQUIRE(read.variants.size() == 2);
  CHECK(read.variants[0].regions == std::vector<std::string>{"layernorm"});
  CHECK(read.variants[0].required);
  CHECK(read.variants[1].regions == std::vector<std::string>{"rows", "outputs"});
  CHECK_FALSE(read.variants[1].required);
}

TEST_CASE("what is no declaration is refused with a sentence") {
  CHECK_THROWS_WITH(read_declaration("int main() {}"), contains_text("workbook::puzzle"));
  CHECK_THROWS_WITH(read_declaration("const workbook::Puzzle workbook::puzzle = { .number = 1 };"),
                    contains_text(".title"));
  CHECK_THROWS_AS(read_declaration("workbook::puzzle = { .number = 1, .title = \"x"), std::runtime_error);
}
