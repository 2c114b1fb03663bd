#include "cli/report/picker.h"

#include "tests/catch.h"

using workbook::cli::matching;
using workbook::cli::PickerRow;

TEST_CASE("a list is narrowed by words, in whatever order and case, to rows that hold all of them") {
  const std::vector<PickerRow> rows = {
      {.heading = "Part I", .text = "01  Map", .state = "[x] done"},
      {.heading = "Part I", .text = "02  Zip", .state = "[ ] to do"},
      {.heading = "Part V", .text = "22  LayerNorm + Linear", .state = "[ ] to do"}};
  using Rows = std::vector<std::size_t>;
  CHECK(matching(rows, "") == Rows{0, 1, 2});
  CHECK(matching(rows, "part i") == Rows{0, 1, 2});
  CHECK(matching(rows, "layer LIN") == Rows{2});
  CHECK(matching(rows, "do to zip") == Rows{1});
  CHECK(matching(rows, "map linear").empty());
}
