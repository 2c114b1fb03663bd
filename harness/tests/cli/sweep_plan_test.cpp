#include "cli/run/sweep_plan.h"
#include "cli/base/errors.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::cli;

TEST_CASE("a range of sizes is a list or every doubling between two") {
  CHECK(parse_range("H=64,8,16,8").sizes == std::vector<std::int64_t>{8, 16, 64});
  CHECK(parse_range("H=8,16").dimension == "H");
  CHECK(parse_range("S=3..20").sizes == std::vector<std::int64_t>{3, 6, 12, 20});
  for (const char* bad : {"H", "=8,16", "H=", "H=8", "H=8,,16", "H=8,x", "H=0,8", "H=8..", "H=8..8",
                          "H=16..8", "H=8,99999999999"}) {
    INFO(bad);
    CHECK_THROWS_AS(parse_range(bad), UsageError);
  }
}

TEST_CASE("between two shapes every dimension grows over powers of two, the ends as they are") {
  const auto all = sizes_between({{"B", 4}, {"H", 8}}, {{"B", 8}, {"H", 768}}, 5);
  REQUIRE(all.size() == 5);
  CHECK(all.front() == runs::Sizes{{"B", 4}, {"H", 8}});
  CHECK(all.back() == runs::Sizes{{"B", 8}, {"H", 768}});
  CHECK(all[2][1].second == 64);
  for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i][1].second > all[i - 1][1].second);
  CHECK(sizes_between({{"N", 8}}, {{"N", 8}}, 8).size() == 1);
}

TEST_CASE("a range replaces one dimension and must name one that is there") {
  const auto all = sizes_of({"H", {8, 16}}, {{"B", 4}, {"H", 2}});
  REQUIRE(all.size() == 2);
  CHECK(all[1] == runs::Sizes{{"B", 4}, {"H", 16}});
  CHECK_THROWS_AS(sizes_of({"Z", {8, 16}}, {{"B", 4}}), UsageError);
}
