#include "cli/project/hints.h"

#include <stdexcept>

#include "tests/catch.h"

using namespace workbook::cli;

TEST_CASE("ladders and rungs are read, code fences kept as they are") {
  const auto ladders =
      read_hints("# Hints\n\n## map\n\n### Nudge\n\nThink.\n\n### Code\n\n```cpp\n## not a heading\n```\n");
  REQUIRE(ladders.size() == 1);
  REQUIRE(ladders[0].rungs.size() == 2);
  CHECK(ladders[0].rungs[0].text == "Think.");
  CHECK(ladders[0].rungs[1].text == "```cpp\n## not a heading\n```");
}

TEST_CASE("paragraphs and items are one line each, code stays as it is") {
  CHECK(
      unwrapped("One two\nthree.\n\nFour\nfive:\n\n1. Six\n   seven.\n2. Eight\n   nine.\n- ten\neleven\n") ==
      "One two three.\n\nFour five:\n\n1. Six seven.\n2. Eight nine.\n- ten eleven\n");
  const std::string code = "Text:\n\n```cpp\nfor (;;)\n  a();\n- b;\n```\n\nMore.\n";
  CHECK(unwrapped(code) == code);
  CHECK(unwrapped("| a | b |\n| 1 | 2 |\nafter\n") == "| a | b |\n| 1 | 2 |\nafter\n");
}

TEST_CASE("empty hints are refused") {
  CHECK_THROWS_AS(read_hints("## map\n"), std::runtime_error);
  CHECK_THROWS_AS(read_hints("## map\n### Nudge\n\n"), std::runtime_error);
  CHECK_THROWS_AS(read_hints("### Nudge\ntext\n"), std::runtime_error);
}

TEST_CASE("the ladders of a variant are those of all its regions, in its order") {
  const auto all = read_hints("## load\n### A\na\n## merge\n### B\nb\n### C\nc\n## store\n### D\nd\n");
  const auto chosen = ladders_of(all, {"merge", "unknown", "load"});
  REQUIRE(chosen.size() == 2);
  CHECK(chosen[0].region == "merge");
  CHECK(chosen[0].rungs.size() == 2);
  CHECK(chosen[1].region == "load");
  REQUIRE(ladders_of(all, {"unknown"}).size() == 1);
  CHECK(ladders_of(all, {"unknown"})[0].region == "load");
  CHECK(ladders_of({}, {"load"}).empty());
}
