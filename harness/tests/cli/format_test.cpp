#include "cli/report/format.h"

#include <cmath>

#include "cli/run/timing.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::cli;

TEST_CASE("numbers are printed with their units") {
  CHECK(bytes_text(512) == "512 B");
  CHECK(bytes_text(12.58e6) == "12.6 MB");
  CHECK(time_text(2.345) == "2.35 us");
  CHECK(time_text(1234.0) == "1.23 ms");
  CHECK(difference_text(NAN) == "NaN");
  CHECK(count_text(1, "launch") == "1 launch");
  CHECK(count_text(4, "launch") == "4 launches");
  CHECK(sizes_text({{"B", 4}, {"H", 8}}) == "B 4, H 8");
  CHECK(index_text({0, 3, 1}) == "[0][3][1]");
}

TEST_CASE("columns are aligned and lines do not end in blanks") {
  Table table({"kernel", "time"});
  table.row({"a", "10 us"});
  table.row({"longer", "5 us"});
  CHECK(table.text("") == "kernel   time\na       10 us\nlonger   5 us\n");
}

TEST_CASE("median and spread are interpolated") {
  const Spread spread = spread_of({5, 1, 4, 2, 3});
  CHECK(spread.median == 3.0);
  CHECK(spread.low == Approx(1.4));
  CHECK(spread.high == Approx(4.6));
}

TEST_CASE("two times closer than their noise are too close to call") {
  using Outcome = Duel::Outcome;
  const Timing a{true, true, "NVIDIA H200", {9, 10, 11}}, b{true, true, "NVIDIA H200", {10.5, 12, 13}},
      c{true, true, "NVIDIA H200", {19, 20, 21}};
  CHECK(duel("--a", a, "--b", b).outcome == Outcome::too_close);
  const Duel won = duel("--a", a, "--c", c);
  CHECK(won.outcome == Outcome::first);
  CHECK(won.words == "--a is 2.00x as fast as --c");
  CHECK(duel("--c", c, "--a", a).outcome == Outcome::second);
}

TEST_CASE("modelled times within the model's error are too close, and are never set against measured ones") {
  using Outcome = Duel::Outcome;
  const Timing a{false, false, "H200", {10, 10, 10}}, b{false, false, "H200", {10.9, 10.9, 10.9}},
      c{false, false, "H200", {12, 12, 12}};
  const Timing measured{true, true, "H200", {10, 10, 10}};
  CHECK(duel("a", a, "b", b).outcome == Outcome::too_close);
  CHECK(duel("a", a, "c", c).outcome == Outcome::first);
  CHECK(duel("a", a, "m", measured).outcome == Outcome::not_comparable);
  CHECK(duel("a", a, "none", std::nullopt).outcome == Outcome::not_comparable);
}
