#include "cli/base/text.h"

#include "cli/base/errors.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook::cli;

TEST_CASE("edits are counted, a swap of neighbours as one") {
  CHECK(edit_distance("fused", "fused") == 0);
  CHECK(edit_distance("fusd", "fused") == 1);
  CHECK(edit_distance("fuesd", "fused") == 1);
  CHECK(edit_distance("", "abc") == 3);
}

TEST_CASE("a typo gets the nearest choice and nonsense gets none") {
  const std::vector<std::string> choices = {"unfused", "fused", "fused-block"};
  CHECK(closest("fusd", choices) == "fused");
  CHECK(closest("fused-blok", choices) == "fused-block");
  CHECK(closest("fused-b", choices) == "fused-block");
  CHECK_FALSE(closest("nonsense", choices));
  CHECK(did_you_mean("unfusde", choices) == " Did you mean 'unfused'?");
}

TEST_CASE("text is wrapped at spaces and measured in columns") {
  CHECK(wrapped("one two three", 8, "  ") == "one two\n  three");
  CHECK(columns("\xe2\x82\xac 5") == 3);
}

TEST_CASE("lines fit the screen, with what follows below the text of their label") {
  CHECK(fitted("short\nlines\n", 10) == "short\nlines\n");
  CHECK(fitted("one two three four", 10) == "one two\nthree four");
  CHECK(fitted("  Try: one two three", 14) == "  Try: one two\n       three");
  CHECK(fitted("  got   one two three", 16) == "  got   one two\n        three");
  // A word longer than the screen is left alone; lines of source are their maker's.
  CHECK(fitted("abcdefghijklmnop qr", 10) == "abcdefghijklmnop\nqr");
  CHECK(fitted("   14 | one two three four five six\n", 10) == "   14 | one two three four five six\n");
  // Colours take no columns and stay.
  CHECK(columns("\033[1;31mINCORRECT\033[0m") == 9);
  CHECK(fitted("\033[1mone two\033[0m 3", 9) == "\033[1mone two\033[0m 3");
  CHECK(fitted("\033[1mone two\033[0m three", 9) == "\033[1mone two\033[0m\nthree");
}

TEST_CASE("a file is replaced whole and its folder made") {
  const workbook::test::TemporaryFolder folder;
  write_file(folder / "a/b/c.txt", "first");
  write_file(folder / "a/b/c.txt", "second");
  CHECK(read_file(folder / "a/b/c.txt") == "second");
  CHECK(std::distance(std::filesystem::directory_iterator(folder / "a/b"), {}) == 1);
  CHECK_THROWS_AS(read_file(folder / "none"), HarnessError);
  CHECK_THROWS_WITH(write_file(folder / "a/b/c.txt/d", "x"), contains_text("cannot be written"));
}
