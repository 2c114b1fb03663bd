#include "model/format.h"
#include "tests/catch.h"

using namespace workbook::viewer;

TEST_CASE("numbers are written with three digits and decimal units") {
  CHECK(format_bytes(0) == "0 B");
  CHECK(format_bytes(512) == "512 B");
  CHECK(format_bytes(999) == "999 B");
  CHECK(format_bytes(1024) == "1.02 kB");
  CHECK(format_bytes(50'331'648) == "50.3 MB");
  CHECK(format_us(2.409) == "2.41 µs");
  CHECK(format_us(0.002) == "<0.01 µs");
  CHECK(format_us(0) == "0.00 µs");
  CHECK(format_us(999.4) == "999 µs");
  CHECK(format_us(999.6) == "1.00 ms");
  CHECK(format_us(2'691.0) == "2.69 ms");
  CHECK(format_us(48'100.0) == "48.1 ms");
  CHECK(format_count(1'234'567) == "1,234,567");
  CHECK(format_count(-12'345) == "−12,345");
  CHECK(format_count(123) == "123");
  CHECK(format_number(17'000) == "17,000");
  CHECK(format_number(1.93e10) == "19.3 G");
  CHECK(format_number(0.797) == "0.80");
  CHECK(format_ratio(1.83) == "1.8x");
  CHECK(format_ratio(18.9) == "19x");
  CHECK(format_ratio(0.25) == "0.25x");
}

TEST_CASE("positions show as many numbers as the grid has dimensions") {
  CHECK(format_dim3({4, 4, 1}) == "(4,4)");
  CHECK(format_dim3({8, 1, 1}) == "(8)");
  CHECK(format_position({1, 1, 0}, {4, 4, 1}) == "(1,1)");
  CHECK(format_position({3, 0, 0}, {8, 1, 1}) == "(3)");
  CHECK(format_position({1, 0, 2}, {2, 1, 3}) == "(1,0,2)");
}

TEST_CASE("words agree with their number") {
  CHECK(plural(1, "launch") == "1 launch");
  CHECK(plural(3, "launch") == "3 launches");
  CHECK(plural(2, "access") == "2 accesses");
  CHECK(plural(0, "block") == "0 blocks");
  CHECK(format_line({"solutions/22_layernorm_linear/kernels.cu", 31}) == "kernels.cu:31");
  CHECK(format_line({"", 0}) == "unknown line");
}
