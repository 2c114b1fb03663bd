#include "sim/check/function_uses.h"

#include <string>

#include "tests/catch.h"

namespace {

using workbook::sim::FunctionUses;
using workbook::sim::WordRun;
using workbook::sim::WordRuns;

std::string text_of(const WordRuns& runs) {
  std::string text;
  for (const WordRun& run : runs.all())
    text += "[" + std::to_string(run.begin) + ", " + std::to_string(run.end) + ") ";
  return text;
}

}  // namespace

TEST_CASE("what a function uses is in the order of its addresses, whichever way it walks") {
  FunctionUses uses;
  for (int i = 31; i >= 0; --i) uses.note(4000 + 4 * i, 4, true, false, 7);
  for (int i = 0; i < 32; ++i) {  // two arrays side by side
    uses.note(8000 + 4 * i, 4, false, false, 8);
    uses.note(400 + 4 * i, 4, false, false, 9);
  }
  const auto touched = uses.touched();
  CHECK(text_of(touched.others) == "[1000, 1032) ");
  CHECK(text_of(touched.reads) == "[100, 132) [2000, 2032) ");
  CHECK(touched.others.all()[0].writes == 0xf);
  CHECK(touched.others.all()[0].write_pc == 7);
}

TEST_CASE("uses of one word by its bytes, and of what was used before as a whole, are one") {
  FunctionUses uses;
  uses.note(401, 1, true, false, 1);
  uses.note(400, 1, true, false, 2);
  uses.note(400, 16, true, false, 3);
  uses.note(408, 4, true, false, 4);
  const auto runs = uses.touched().others;
  CHECK(text_of(runs) == "[100, 101) [101, 104) ");
  CHECK(runs.all()[0].writes == 0xf);
}

TEST_CASE("memory that is given back is not used any more") {
  FunctionUses uses;
  uses.note(400, 40, true, false, 1);
  uses.note(800, 40, false, false, 1);
  uses.forget(408, 8);
  uses.forget(780, 100);
  CHECK(text_of(uses.touched().others) == "[100, 102) [104, 110) ");
  CHECK(text_of(uses.touched().reads).empty());
  WordRuns runs = uses.touched().others;
  runs.forget(410, 4);  // between the two
  CHECK(text_of(runs) == "[100, 102) [104, 110) ");
  runs.forget(0, 4096);
  CHECK(text_of(runs).empty());
}
