#include "cli/report/format.h"

#include <cmath>

#include "tests/catch.h"

using namespace workbook;
using namespace workbook::cli;

TEST_CASE("numbers are printed with their units") {
  CHECK(time_text(2.345) == "2.35 us");
  CHECK(time_text(1234.0) == "1.23 ms");
  CHECK(difference_text(NAN) == "NaN");
  CHECK(count_text(1, "launch") == "1 launch");
  CHECK(count_text(4, "launch") == "4 launches");
  CHECK(index_text({0, 3, 1}) == "[0][3][1]");
}

TEST_CASE("columns are aligned and lines do not end in blanks") {
  Table table({"kernel", "time"});
  table.row({"a", "10 us"});
  table.row({"longer", "5 us"});
  CHECK(table.text("") == "kernel   time\na       10 us\nlonger   5 us\n");
}

TEST_CASE("a table wider than the screen goes on below, with its first column again") {
  Table table({"kernel", std::string(40, 'a'), std::string(40, 'b')});
  table.row({"k", "1", "2"});
  const std::string text = table.text("");
  CHECK(text == "kernel  " + std::string(40, 'a') + "\nk       " + std::string(39, ' ') + "1\n\nkernel  " +
                    std::string(40, 'b') + "\nk       " + std::string(39, ' ') + "2\n");
}

TEST_CASE("threads are named by the coordinates in use") {
  CHECK(thread_text({{1, 0, 0}, {3, 0, 0}}) == "thread 3 of block 1");
  CHECK(thread_text({{0, 2, 0}, {3, 1, 0}}) == "thread (3,1) of block (0,2)");
}
