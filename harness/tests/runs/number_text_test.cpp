#include "runs/number_text.h"

#include "tests/catch.h"

using namespace workbook::runs;

TEST_CASE("three digits are kept, and all of those before the point") {
  CHECK(three_digits(2.345) == "2.35");
  CHECK(three_digits(9.994) == "9.99");
  CHECK(three_digits(9.996) == "10.0");
  CHECK(three_digits(99.96) == "100");
  CHECK(three_digits(2350.0) == "2350");
  CHECK(three_digits(-23.46) == "-23.5");
}

TEST_CASE("bytes have decimal units, up to the largest") {
  CHECK(bytes_text(0) == "0 B");
  CHECK(bytes_text(999) == "999 B");
  CHECK(bytes_text(999.5) == "1.00 kB");
  CHECK(bytes_text(12.58e6) == "12.6 MB");
  CHECK(bytes_text(5e15) == "5000 TB");
}

TEST_CASE("sizes stand in the order of the record") {
  CHECK(sizes_text({}).empty());
  CHECK(sizes_text({{"S", 4}, {"B", 16}}) == "S 4, B 16");
}
