#include "model/layout.h"
#include "tests/catch.h"

using namespace workbook::viewer;

namespace {
void check_apart(const std::vector<Span>& spans, double gap, double low, double high) {
  const auto left = spread(spans, gap, low, high);
  REQUIRE(left.size() == spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    CHECK(left[i] >= low - 1e-9);
    CHECK(left[i] + spans[i].width <= high + 1e-9);
    if (i > 0) CHECK(left[i] >= left[i - 1] + spans[i - 1].width + gap - 1e-9);
  }
}
}  // namespace

TEST_CASE("labels that have room stay where they want to be") {
  const auto left = spread({{100, 20}, {200, 40}}, 5, 0, 400);
  CHECK(left[0] == Approx(90));
  CHECK(left[1] == Approx(180));
}

TEST_CASE("labels that collide are pushed apart evenly and stay inside") {
  const auto left = spread({{100, 20}, {100, 20}}, 4, 0, 400);
  CHECK(left[0] == Approx(78));
  CHECK(left[1] == Approx(102));
  check_apart({{1, 60}, {2, 80}, {3, 40}, {390, 90}, {399, 30}}, 6, 0, 400);
  check_apart({{395, 100}, {396, 100}, {397, 100}}, 2, 0, 400);
  check_apart({{0, 100}, {0, 100}, {0, 100}}, 2, 0, 400);
}

TEST_CASE("labels wider than all the room overflow at the end, in order") {
  const auto left = spread({{50, 80}, {60, 80}}, 5, 0, 100);
  CHECK(left[0] == 0);
  CHECK(left[1] >= 80);
  CHECK(spread({}, 5, 0, 100).empty());
}

TEST_CASE("boxes fill a column before they start the next") {
  const auto packing =
      pack_columns({{10, 30}, {20, 30}, {15, 30}, {5, 5}}, {false, false, false, true}, 70, 4, 2);
  CHECK(packing.x == std::vector<double>{0, 0, 24, 43});
  CHECK(packing.y == std::vector<double>{0, 32, 0, 0});
  CHECK(packing.width == 48);
  CHECK(packing.height == 62);
}

TEST_CASE("ticks are round numbers") {
  CHECK(tick_step(9.36, 10) == Approx(1));
  CHECK(tick_step(51'100, 10) == Approx(10'000));
  CHECK(tick_step(0.3, 5) == Approx(0.1));
  CHECK(tick_step(0, 5) == 1);
}
