#include "model/roofline.h"
#include "fixture.h"
#include "model/crossover.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

Roof roof_called(const std::string& key) {
  for (const Roof& roof : known_roofs())
    if (roof.key == key) return roof;
  throw std::runtime_error("no roof " + key);
}

// A roof whose ridge is at 10 flops a byte.
Roof plain() { return {"plain", "Plain", 1e12, 2e12, 1e13, 1e14}; }

RoofPoint made_of(double flops, double tensor_flops, double bytes, double us = 0,
                  runs::BoundBy bound = runs::BoundBy::none) {
  return {"kernel", flops, tensor_flops, bytes, us, bound};
}

RoofSide side(double flops, double bytes, double us) {
  RoofSide made;
  made.present = true;
  made.basis = Basis::measured;
  made.whole = made_of(flops, 0, bytes, us);
  return made;
}

runs::SweepPoint point(const std::string& variant, std::int64_t size, double us) {
  runs::SweepPoint made;
  made.variant = variant;
  made.sizes = {{"H", size}};
  made.median_us = made.low_us = made.high_us = us;
  return made;
}

}  // namespace

TEST_CASE("a roof is a slope up to its ridge and flat beyond") {
  const Roof roof = plain();
  CHECK(roof.ridge() == Approx(10));
  CHECK(roof.at(1) == Approx(1e12));
  CHECK(roof.at(10) == Approx(1e13));
  CHECK(roof.at(1000) == Approx(1e13));
  CHECK(made_of(1e6, 0, 1e6).us_at(roof) == Approx(1.0));  // bytes decide
  CHECK(made_of(1e9, 0, 1e6).us_at(roof) == Approx(100));  // arithmetic decides
}

TEST_CASE("what tensor cores do is held to their peak") {
  const Roof roof = plain();
  const RoofPoint all = made_of(1e9, 1e9, 1e6);
  CHECK(all.us_at(roof) == Approx(10));
  CHECK(all.peak(roof) == Approx(1e14));
  CHECK(all.at(roof) == Approx(1e14));
  CHECK(made_of(1e7 * 5, 1e7 * 5, 1e6).below_slope(roof));
  // Nine tenths by tensor cores: the rest takes as long as they do.
  const RoofPoint most = made_of(1e9, 0.9e9, 1e6);
  CHECK(most.us_at(roof) == Approx(9 + 10));
}

TEST_CASE("the roof of a run is that of its GPU") {
  CHECK(roof_of(fixture::unfused().record)->key == "h200");
  CHECK(roof_of(fixture::unfused(fixture::Times::measured).record)->key == "h200");
  auto other = fixture::unfused().record;
  other.device = "NVIDIA GeForce RTX 4090";
  CHECK(roof_of(other)->key == "rtx4090");
  other.device = "something else";
  CHECK(!roof_of(other));
}

TEST_CASE("a run stands at flops per DRAM byte and flops a second, with its kernels") {
  const RoofSide made = make_roof_side(fixture::unfused().record, "teaching", roof_called("h200"));
  REQUIRE(made.present);
  CHECK(made.basis == Basis::modelled);
  const Side same = make_side(fixture::unfused().record, "teaching");
  CHECK(made.whole.intensity() == Approx(same.intensity()));
  CHECK(made.whole.achieved() == Approx(same.flops / same.total.median_us * 1e6));
  REQUIRE(made.kernels.size() == 4);
  CHECK(made.kernels[0].drawn());
  CHECK(!made.kernels[1].drawn());  // a transpose has no flops and no place
}

TEST_CASE("on another GPU the time is modelled anew, even of a measured run") {
  const auto run = fixture::unfused(fixture::Times::measured).record;
  const RoofSide own = make_roof_side(run, "real", roof_called("h200")),
                 slower = make_roof_side(run, "real", roof_called("t4"));
  CHECK(own.basis == Basis::measured);
  CHECK(slower.basis == Basis::modelled);
  CHECK(slower.whole.bytes == own.whole.bytes);
  double sum = 0;
  for (const RoofPoint& kernel : slower.kernels) sum += kernel.us;
  CHECK(slower.whole.us == Approx(sum));
  CHECK(slower.whole.us != Approx(own.whole.us));
}

TEST_CASE("without counters or without the shape there is nothing to place") {
  auto run = fixture::unfused().record;
  CHECK(!make_roof_side(run, "no such shape", plain()).present);
  run.benchmarks[0].launches[0].counters.reset();
  CHECK(!make_roof_side(run, "teaching", roof_called("h200")).present);
}

TEST_CASE("the words say which part of the roof decides") {
  const Roof roof = plain();
  // Half of the roof, on the slope; B moves 0.35 of the bytes.
  const RoofSide a = side(1e6, 1e6, 2), b = side(1e6, 0.35e6, 0.7);
  CHECK(describe(a, b, "unfused", "fused", roof).headline == "Both lie under the slope: bytes decide");
  CHECK(describe(a, b, "unfused", "fused", roof).detail ==
        "Fused needs 0.35x the bytes, and is at 50 % of its roof; unfused is at 50 %.");
  const RoofSide flat = side(1e9, 1e6, 150);
  CHECK(describe(flat, flat, "unfused", "fused", roof).headline ==
        "Both lie under the flat roof: arithmetic decides");
  CHECK(describe(a, flat, "unfused", "fused", roof).headline ==
        "Fused has left the slope: bytes no longer decide");
  CHECK(describe(side(1e6, 1e6, 100), b, "unfused", "fused", roof).headline ==
        "Unfused is far below the roof; fused is near it, where bytes decide");
  RoofSide slow_a = side(1e6, 1e6, 100), slow_b = slow_a;
  slow_a.kernels = {made_of(1, 0, 1, 100, runs::BoundBy::launch)};
  slow_b.kernels = {made_of(1, 0, 1, 1, runs::BoundBy::launch), made_of(1, 0, 1, 99, runs::BoundBy::latency)};
  CHECK(describe(slow_a, slow_b, "unfused", "fused", roof).headline ==
        "Both are far below the roof: launches hold unfused back, latency holds fused back");
}

TEST_CASE("rates and shares are written with three digits") {
  CHECK(format_rate(4.8e12, "B/s") == "4.80 TB/s");
  CHECK(format_rate(66.9e12, "flop/s") == "66.9 Tflop/s");
  CHECK(format_rate(7.0, "") == "7.00 ");
  CHECK(format_percent(0.5) == "50 %");
  CHECK(format_percent(0.013) == "1.3 %");
  CHECK(format_percent(0.0001) == "<0.1 %");
}

TEST_CASE("a sweep is divided among those who are fastest") {
  runs::Sweep sweep;
  sweep.dimension = "H";
  sweep.variants = {"unfused", "fused", "block"};
  for (const auto& [size, unfused, fused, block] :
       {std::tuple{10, 10.0, 5.0, 50.0}, {1000, 20.0, 40.0, 60.0}, {100000, 80.0, 400.0, 40.0}})
    for (const auto& [variant, us] : {std::pair{"unfused", unfused}, {"fused", fused}, {"block", block}})
      sweep.points.push_back(point(variant, size, us));
  const auto all = reigns(sweep);
  REQUIRE(all.size() == 3);
  CHECK(all[0].variant == "fused");
  CHECK(all[0].to == Approx(100));
  CHECK(all[1].from == all[0].to);
  CHECK(all[2].variant == "block");
  CHECK(describe(sweep, all) == "Fused is fastest up to H 100, then unfused up to " +
                                    format_position(sweep, all[1].to) + ", then block");
  sweep.variants = {"unfused", "fused"};
  CHECK(describe(sweep, {all[0]}) == "Fused is fastest at every size");
  sweep.points.clear();
  CHECK(reigns(sweep).empty());
}
