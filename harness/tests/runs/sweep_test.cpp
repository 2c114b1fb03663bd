#include "runs/sweep.h"

#include <cmath>

#include "runs/json.h"
#include "runs/store.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace workbook::runs;

namespace {

SweepPoint point(const std::string& variant, std::int64_t size, double us) {
  SweepPoint made;
  made.variant = variant;
  made.sizes = {{"H", size}};
  made.bytes = 4 * size;
  made.median_us = made.low_us = made.high_us = us;
  return made;
}

Sweep sample() {
  Sweep sweep;
  sweep.started_at = "2026-01-05T09:30:00Z";
  sweep.puzzle = 22;
  sweep.variants = {"unfused", "fused"};
  sweep.dimension = "H";
  sweep.points = {point("unfused", 10, 10), point("fused", 10, 5), point("unfused", 1000, 20),
                  point("fused", 1000, 40)};
  return sweep;
}

}  // namespace

TEST_CASE("two variants cross half way where one leads by as much as it trails later") {
  Sweep sweep = sample();
  const auto found = crossings(sweep, "unfused", "fused");
  REQUIRE(found.size() == 1);
  CHECK(found[0].position == Approx(100));
  CHECK(found[0].us == Approx(10 * std::sqrt(2.0)));
  CHECK(found[0].faster_below == "fused");
  CHECK(found[0].faster_above == "unfused");
  CHECK(found[0].below == Sizes{{"H", 10}});
  sweep.dimension.clear();  // then the bytes are the axis
  CHECK(crossings(sweep, "unfused", "fused")[0].position == Approx(400));
}

TEST_CASE("a variant that always leads, a tie and sizes of one alone are no crossings") {
  Sweep sweep = sample();
  sweep.points[3].median_us = 19;
  CHECK(crossings(sweep, "unfused", "fused").empty());
  sweep.points[3].median_us = 20;
  CHECK(crossings(sweep, "unfused", "fused").empty());
  sweep.points[3].median_us = 0;  // not timed
  CHECK(crossings(sweep, "unfused", "fused").empty());
  CHECK(timed_points(sweep, "fused").size() == 1);
}

TEST_CASE("a sweep is kept beside the runs, replaced as it grows, and the newest is found") {
  const workbook::test::TemporaryFolder folder;
  const auto file = folder / "runs.sqlite";
  Store store(file, Store::Mode::read_write);
  CHECK(!store.newest_sweep(22));  // a store from before there were sweeps
  Sweep first = sample();
  store.save(first);
  CHECK(first.id == 1);
  first.points.pop_back();
  store.save(first);
  CHECK(store.newest_sweep(22)->points.size() == 3);
  Sweep second = sample();
  second.complete = true;
  store.save(second);
  const auto newest = Store(file, Store::Mode::read_only).newest_sweep(22);
  REQUIRE(newest);
  CHECK(newest->id == 2);
  CHECK(newest->complete);
  CHECK(newest->points.size() == 4);
  CHECK(newest->points[1].sizes == Sizes{{"H", 10}});
  CHECK(!store.newest_sweep(1));
  CHECK(store.list().empty());
}
