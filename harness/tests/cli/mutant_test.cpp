#include "cli/project/mutant.h"

#include "cli/base/errors.h"
#include "tests/catch.h"

using namespace workbook::cli;

namespace {

constexpr const char* kSolution =
    "void first() {\n"
    "  int a = 1;\n"
    "  if (a) {\n"
    "    b();\n"
    "    c();\n"
    "  }\n"
    "}\n"
    "void second() {\n"
    "  int a = 1;\n"
    "}\n";

/// A section of mutants.md, from its heading in line 1: what stands above the edit, and the edit.
std::string section(const std::string& head, const std::string& edit) {
  return "## m\n" + head + "```diff\n" + edit + "```\n";
}

Mutant mutant_of(const std::string& text, const std::string& solution = kSolution) {
  return read_mutant("mutants.md", split_mutants("mutants.md", text).at(0), solution, {"v", "w"});
}

Mutant mutant_of_edit(const std::string& edit) { return mutant_of(section("- expect: x\n", edit)); }

void check_refused(const std::string& text, int line, const std::string& what) {
  INFO(text);
  CHECK_THROWS_AS(mutant_of(text), HarnessError);
  CHECK_THROWS_WITH(mutant_of(text),
                    contains_text("mutants.md:" + std::to_string(line) + ": ") && contains_text(what));
}

/// An edit whose line `line` (from 1) is told.
void check_edit_refused(const std::string& edit, int line, const std::string& what) {
  check_refused(section("- expect: x\n", edit), line + 3, what);
}

}  // namespace

TEST_CASE("an edit of the solution gives a mutant") {
  const Mutant mutant =
      mutant_of(section("\nWhy it is made.\n\n- expect: a: not one\n- variant: w\n\n",
                        "@ void second\n- int a = 1;\n+ int a = 2;\n"
                        "- if (a) {\n-   b();\n# between\n+ if (!a) {\n+   d();\n+ \n+   e();\n\n- c();\n"));
  CHECK(mutant.expect == "a: not one");
  CHECK(mutant.variant == "w");
  CHECK(mutant.kernels ==
        "void first() {\n"
        "  int a = 1;\n"
        "  if (!a) {\n"
        "    d();\n"
        "\n"
        "    e();\n"
        "  }\n"
        "}\n"
        "void second() {\n"
        "  int a = 2;\n"
        "}\n");
}

TEST_CASE("a mutant knows the regions that it changes, if it changes nothing else") {
  constexpr const char* kRegions =
      "int before;\n// FILL ME IN: one (roughly 2 lines)\na();\nb();\n// END: one\n"
      "// FILL ME IN: two (roughly 1 line)\nc();\n// END: two\n";
  const auto regions = [&](const std::string& edit, const std::string& head = "") {
    return mutant_of(section("- says: s\n" + head, edit), kRegions).regions;
  };
  using Names = std::vector<std::string>;
  CHECK(regions("- b();\n+ x();\n+ y();\n\n- a();\n") == Names{"one"});
  CHECK(regions("- c();\n\n- b();\n") == Names{"two", "one"});
  CHECK(regions("- b();\n\n- int before;\n+ int after;\n").empty());
  CHECK(regions("- b();\n+ x();\n", "- variant: v\n") == Names{"one"});
  CHECK(regions("- b();\n+ x();\n", "- only: v\n").empty());  // of that variant alone
}

TEST_CASE("what a mutant's learner reads is its own sentence, or words that are said anyway") {
  const Mutant own = mutant_of(section("- says: gamma was never applied: y is x\n", "- b();\n"));
  CHECK(own.says);
  CHECK(own.expect == "gamma was never applied: y is x");
  const Mutant finding = mutant_of(section("- expect: race_shared\n", "- b();\n"));
  CHECK_FALSE(finding.says);
  CHECK(finding.expect == "race_shared");
}

TEST_CASE("a file of mutants is read section by section") {
  const auto all = split_mutants(
      "mutants.md", "# Mutants\n\nWords.\n\n" + section("- says: s\n- only: w\n", "- b();\n") +
                        "\n## second_one\n\n- says: t\n\n```diff\n- variant: w\n+ ## c();\n```\n");
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "m");
  CHECK(all[0].line == 5);
  CHECK(all[0].variant == "w");
  CHECK(all[1].name == "second_one");
  CHECK(all[1].variant.empty());  // a line of the edit says nothing of it
  CHECK(split_mutants("mutants.md", "").empty());
}

TEST_CASE("the first variant is meant when a mutant names none") {
  CHECK(mutant_of_edit("- b();\n").variant == "v");
}

TEST_CASE("the lines to replace are known by their code, and what replaces them is indented like them") {
  CHECK(mutant_of_edit("-b();  \r\n-   c();\n+ d();\n").kernels.find("{\n    d();\n  }") !=
        std::string::npos);
}

TEST_CASE("an edit that does not fit is refused with file and line") {
  check_edit_refused("\n- int b = 1;\n", 2, "does not hold these lines");
  check_edit_refused("- int a = 1;\n", 1, "2 times");
  check_edit_refused("@ void second\n- b();\n", 1, "does not hold these lines");
  check_edit_refused("@ void third\n- b();\n", 1, "no line of the solution");
  check_edit_refused("@ void\n- b();\n", 1, "several lines");
  check_edit_refused("- b();\n- b();\n", 1, "does not hold these lines");
}

TEST_CASE("an edit that is none is refused with file and line") {
  check_edit_refused("+ b();\n", 1, "no '-' line before");
  check_edit_refused("@ void first\n", 1, "no '-' line follows");
  check_edit_refused("@ void first\n\n- b();\n", 1, "no '-' line follows");
  check_edit_refused("- b();\nvariant: v\n", 2, "begins with");
  check_edit_refused("", -2, "nothing to replace");
}

TEST_CASE("a section that says too little, too much or something else is refused with file and line") {
  check_refused(section("", "- b();\n"), 1, "neither '- says: ...' nor '- expect: ...'");
  check_refused(section("- says: x\n- expect: y\n", "- b();\n"), 3, "said already");
  check_refused(section("- expect: x\n- variant: vv\n", "- b();\n"), 3, "no variant 'vv'");
  check_refused(section("- expect: x\n- expects: y\n", "- b();\n"), 3, "above the edit stands");
  check_refused(section("- expect: x\n", "- b();\n") + "- variant: v\n", 6, "above the edit stands");
  check_refused("## m\n\n- expect: x\n", 1, "nothing to replace");
  check_refused("## m\n- expect: x\n```diff\n- b();\n", 3, "has no end");
  check_refused("## Not a name\n", 1, "small letters");
  check_refused("## m\n\n## m\n", 3, "line 1 has a mutant of this name");
}
