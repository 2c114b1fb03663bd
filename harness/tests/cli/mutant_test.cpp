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

Mutant mutant_of(const std::string& edit) { return read_mutant("m.edit", edit, kSolution, {"v", "w"}); }

void check_refused(const std::string& edit, const std::string& where, const std::string& what) {
  INFO(edit);
  CHECK_THROWS_AS(mutant_of(edit), HarnessError);
  CHECK_THROWS_WITH(mutant_of(edit), contains_text(where) && contains_text(what));
}

}  // namespace

TEST_CASE("an edit of the solution gives a mutant") {
  const Mutant mutant = mutant_of(
      "# why\nexpect: a: not one\nvariant: w\n\n@ void second\n- int a = 1;\n+ int a = 2;\n"
      "- if (a) {\n-   b();\n# between\n+ if (!a) {\n+   d();\n+ \n+   e();\n\n- c();\n");
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
  const auto regions = [&](const std::string& edit) {
    return read_mutant("m.edit", "says: s\n" + edit, kRegions, {"v"}).regions;
  };
  using Names = std::vector<std::string>;
  CHECK(regions("- b();\n+ x();\n+ y();\n\n- a();\n") == Names{"one"});
  CHECK(regions("- c();\n\n- b();\n") == Names{"two", "one"});
  CHECK(regions("- b();\n\n- int before;\n+ int after;\n").empty());
  CHECK(regions("variant: v\n- b();\n+ x();\n") == Names{"one"});
  CHECK(regions("only: v\n- b();\n+ x();\n").empty());  // of that variant alone
  CHECK(variant_named_in("says: s\nonly: v\n") == "v");
}

TEST_CASE("what a mutant's learner reads is its own sentence, or words that are said anyway") {
  const Mutant own = mutant_of("says: gamma was never applied: y is x\n- b();\n");
  CHECK(own.says);
  CHECK(own.expect == "gamma was never applied: y is x");
  const Mutant finding = mutant_of("expect: race_shared\n- b();\n");
  CHECK_FALSE(finding.says);
  CHECK(finding.expect == "race_shared");
}

TEST_CASE("the variant that an edit names is known before its file is") {
  CHECK(variant_named_in("# why\nsays: x\nvariant: w\n- b();\n") == "w");
  CHECK(variant_named_in("says: x\n- variant: w\n+ b();\n").empty());
}

TEST_CASE("the first variant is meant when a mutant names none") {
  CHECK(mutant_of("expect: x\n- b();\n").variant == "v");
}

TEST_CASE("the lines to replace are known by their code, and what replaces them is indented like them") {
  CHECK(mutant_of("expect: x\n-b();  \r\n-   c();\n+ d();\n").kernels.find("{\n    d();\n  }") !=
        std::string::npos);
}

TEST_CASE("an edit that does not fit is refused with file and line") {
  check_refused("expect: x\n\n- int b = 1;\n", "m.edit:3:", "does not hold these lines");
  check_refused("expect: x\n- int a = 1;\n", "m.edit:2:", "2 times");
  check_refused("expect: x\n@ void second\n- b();\n", "m.edit:2:", "does not hold these lines");
  check_refused("expect: x\n@ void third\n- b();\n", "m.edit:2:", "no line of the solution");
  check_refused("expect: x\n@ void\n- b();\n", "m.edit:2:", "several lines");
  check_refused("expect: x\n- b();\n- b();\n", "m.edit:2:", "does not hold these lines");
}

TEST_CASE("an edit that is none is refused with file and line") {
  check_refused("- b();\n", "m.edit:1:", "neither 'says: ...' nor 'expect: ...'");
  check_refused("says: x\nexpect: y\n- b();\n", "m.edit:2:", "said already");
  check_refused("expect: x\nvariant: vv\n- b();\n", "m.edit:2:", "no variant 'vv'");
  check_refused("expect: x\n", "m.edit:1:", "nothing to replace");
  check_refused("expect: x\n+ b();\n", "m.edit:2:", "no '-' line before");
  check_refused("expect: x\n@ void first\n", "m.edit:2:", "no '-' line follows");
  check_refused("expect: x\n@ void first\n\n- b();\n", "m.edit:2:", "no '-' line follows");
  check_refused("expect: x\nexpects: y\n- b();\n", "m.edit:2:", "neither");
  check_refused("expect: x\n- b();\nvariant: v\n", "m.edit:3:", "neither");
}
