#include "cli/project/regions.h"

#include <stdexcept>

#include "tests/catch.h"

using namespace workbook::cli;

namespace {

constexpr const char* kTwoRegions =
    "void f() {\n"
    "  // FILL ME IN: first (roughly 2 lines)\n"
    "  int a = 1;\n"
    "  // END: first\n"
    "  // FILL ME IN: second (roughly 1 line)\n"
    "\n"
    "  // a thought\n"
    "  /* and\n"
    "     another */\n"
    "  // END: second\n"
    "}\n";

}  // namespace

TEST_CASE("a region is filled when it holds more than blanks and comments") {
  const auto regions = find_regions(kTwoRegions);
  REQUIRE(regions.size() == 2);
  CHECK(regions[0].name == "first");
  CHECK(regions[0].first_line == 2);
  CHECK(regions[0].last_line == 4);
  CHECK(regions[0].filled);
  CHECK_FALSE(regions[1].filled);
}

TEST_CASE("code behind a comment fills a region") {
  CHECK(find_regions("// FILL ME IN: r (x)\n/* c */ a();\n// END: r\n")[0].filled);
  CHECK_FALSE(find_regions("// FILL ME IN: r (x)\n/* a();\nb(); */\n// END: r\n")[0].filled);
}

TEST_CASE("the skeleton keeps the markers and everything outside them") {
  const std::string skeleton = skeleton_of(kTwoRegions);
  CHECK(skeleton ==
        "void f() {\n"
        "  // FILL ME IN: first (roughly 2 lines)\n"
        "  // END: first\n"
        "  // FILL ME IN: second (roughly 1 line)\n"
        "  // END: second\n"
        "}\n");
  CHECK(skeleton_of(skeleton) == skeleton);
}

TEST_CASE("a variant is made of its own regions and of what stands outside of all") {
  const auto edited = [](std::string_view old_words, const std::string& new_words) {
    std::string text = kTwoRegions;
    return text.replace(text.find(old_words), old_words.size(), new_words);
  };
  const std::string first = edited("int a = 1;", "int a = 1;\n  int b = 2;");
  CHECK(differs_for({"first"}, kTwoRegions, first));
  CHECK_FALSE(differs_for({"second"}, kTwoRegions, first));
  CHECK_FALSE(differs_for({}, kTwoRegions, first));
  for (const char* region : {"first", "second"})
    CHECK(differs_for({region}, kTwoRegions, edited("void f()", "void f(int)")));
  CHECK_FALSE(differs_for({"first"}, kTwoRegions, kTwoRegions));
  CHECK(differs_for({"second"}, kTwoRegions, edited("// END: first", "// the end")));
}

TEST_CASE("a variant goes back to what it was, and the regions of others stay") {
  const std::string past =
      "int k = 1;\n// FILL ME IN: a\nold a\n// END: a\n// FILL ME IN: b\nold b\n// END: b\n";
  const std::string now = "// FILL ME IN: b\nnew b\nmore\n// END: b\n// FILL ME IN: a\nnew a\n// END: a\n";
  CHECK(with_others_kept(past, now, {"a"}) ==
        "int k = 1;\n// FILL ME IN: a\nold a\n// END: a\n// FILL ME IN: b\nnew b\nmore\n// END: b\n");
  CHECK(with_others_kept(past, now, {"a", "b"}) == past);
  CHECK_FALSE(with_others_kept(past, "// FILL ME IN: a\n// END: a\n", {"a"}));
  CHECK_FALSE(with_others_kept(past, now + "// FILL ME IN: c\nmine\n// END: c\n", {"a"}));
  CHECK_FALSE(with_others_kept(past, "// FILL ME IN: a\n", {"a"}));
}

TEST_CASE("markers that do not pair up are refused with their line") {
  CHECK_THROWS_WITH(find_regions("\n// FILL ME IN: a (1)\n"), contains_text("line 2"));
  CHECK_THROWS_WITH(find_regions("// END: a\n"), contains_text("closes no region"));
  CHECK_THROWS_AS(find_regions("// FILL ME IN: a\n// FILL ME IN: b\n// END: b\n// END: a\n"),
                  std::runtime_error);
}

TEST_CASE("empty regions of a variant are those that are named and hold no code") {
  const auto unfilled = unfilled_regions(kTwoRegions, {"first", "second"});
  REQUIRE(unfilled.size() == 1);
  CHECK(unfilled[0].name == "second");
  CHECK(unfilled_regions(kTwoRegions, {"first"}).empty());
  CHECK(
      unfilled_regions("// FILL ME IN: a (1)\n", {"a"}).empty());  // without markers the answer alone counts
}

TEST_CASE("a missing brace is found in its region, at the line that is not closed") {
  const std::string begin = "void f() {\n  // FILL ME IN: r (x)\n", end = "  // END: r\n}\n";
  CHECK_FALSE(brace_fault(begin + "  if (a) {\n  }\n" + end));
  const auto inner = brace_fault(begin + "  for (;;) {\n    if (a) {\n      b();\n  }\n" + end);
  REQUIRE(inner);
  CHECK(inner->region.name == "r");
  CHECK(inner->line == 4);  // by its indentation: the last brace closes the loop
  CHECK(inner->count == 1);
  CHECK_FALSE(inner->too_many);
  const auto outer = brace_fault(begin + "  if (a) {\n    b();\n" + end);
  REQUIRE(outer);
  CHECK(outer->line == 3);
  const auto extra = brace_fault(begin + "  if (a) {\n  }\n  }\n" + end);
  REQUIRE(extra);
  CHECK(extra->too_many);
  CHECK(extra->line == 5);
}

TEST_CASE("braces in comments, strings and characters do not count") {
  CHECK_FALSE(brace_fault("// FILL ME IN: r (x)\n// {\n/* {\n { */ a(\"{\\\"{\", '{', 1'000);\n// END: r\n"));
  CHECK(brace_fault("// FILL ME IN: r (x)\nif (x > 1'000) {\n// END: r\n"));
}
