// The Timeline drawn off screen: programs, other runs, and what it says where there is nothing.
#include "fixture.h"
#include "pictures.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

TEST_CASE("Timeline draws programs of few and of many launches, in both themes and sizes") {
  for (const int steps : {1, 4, 2000}) {
    Library library;
    library.add(fixture::program(steps));
    for (const bool dark : {false, true})
      for (const auto& [width, height] : {std::pair{1320, 900}, {640, 480}}) {
        INFO(steps << " steps, " << width << " wide");
        CHECK(look_at(shoot(library, {}, "timeline", dark, width, height)).colours > 60);
      }
  }
}

TEST_CASE("Timeline answers to the wheel, and to the mouse over a bar and over a row of the table") {
  Library library;
  library.add(fixture::program(4));
  const Image plain = with_mouse(library, "timeline", {5, 5});
  CHECK((plain.rgba != with_mouse(library, "timeline", {600, 95}, 3).rgba));  // closer
  CHECK((plain.rgba != with_mouse(library, "timeline", {400, 95}).rgba));     // a bar says what it is
  CHECK((plain.rgba != with_mouse(library, "timeline", {300, 318}).rgba));  // the bars of a kernel stand out
  CHECK((plain.rgba == with_mouse(library, "timeline", {5, 5}).rgba));
}

TEST_CASE("Timeline shows the launches of other puzzles, and says what is missing of a run that has none") {
  Library library = filled(), untimed;
  CHECK(look_at(shoot(library, {}, "timeline", false, 1000, 700)).colours > 60);
  auto bare = fixture::unfused();
  bare.record.benchmarks.clear();
  untimed.add(bare);
  const Look said = look_at(shoot(untimed, {}, "timeline", true, 640, 480));
  CHECK(said.colours > 10);
  CHECK(said.commonest > 0.9);
}
