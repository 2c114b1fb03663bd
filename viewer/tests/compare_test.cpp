#include "model/compare.h"

#include <algorithm>
#include <cmath>

#include "fixture.h"
#include "model/format.h"
#include "model/samples.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {
const Row& row(const std::vector<Row>& rows, const std::string& label) {
  for (const Row& each : rows)
    if (each.label == label) return each;
  throw std::runtime_error("no row " + label);
}
}  // namespace

TEST_CASE("a difference of a hundredth is neither good nor bad") {
  Side a = make_side(fixture::unfused().record, "real"), b = a;
  b.bytes_read = a.bytes_read + a.bytes_read / 300;
  for (const Row& row : difference_table(a, b)) CHECK(row.tone == Tone::neutral);
  b.bytes_read = a.bytes_read * 2;
  const auto rows = difference_table(a, b);
  CHECK(std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.tone == Tone::bad; }));
}

TEST_CASE("samples are summarised by median, p10 and p90") {
  const Timing timing = summarise({5, 1, 4, 2, 3, 6, 7, 8, 9, 10, 11});
  CHECK(timing.median_us == 6);
  CHECK(timing.low_us == 2);
  CHECK(timing.high_us == 10);
  CHECK(timing.samples == 11);
  CHECK(summarise({}).basis == Basis::none);
  CHECK(summarise({7}).high_us == 7);
}

TEST_CASE("ribbons follow each other without overlap and fill the total") {
  const Side side = make_side(fixture::unfused().record, "teaching");
  REQUIRE(side.segments.size() == 4);
  CHECK(side.basis == Basis::modelled);
  CHECK(side.basis_text == "modelled (H200)");
  double now = 0;
  for (const Segment& segment : side.segments) {
    CHECK(segment.start_us == Approx(now));
    CHECK(segment.gap_us == Approx(0.87));
    CHECK(segment.busy_us > 0);
    now = segment.end_us();
  }
  CHECK(now == Approx(side.total.median_us));
  CHECK(side.total.low_us == side.total.high_us);  // what is modelled has no whiskers
}

TEST_CASE("intermediate tensors know their writer, their reader and their bytes") {
  const Side side = make_side(fixture::unfused().record, "teaching");
  REQUIRE(side.carried.size() == 3);
  CHECK(side.carried[0].name == "normalized");
  CHECK(side.carried[0].writers == std::vector<int>{0});
  CHECK(side.carried[0].readers == std::vector<int>{2});
  CHECK(side.carried[0].bytes_written == 512);
  CHECK(side.carried[0].bytes_read == 512);
  CHECK(side.carried[2].name == "product");
  CHECK(side.carried[2].readers == std::vector<int>{3});
  CHECK(make_side(fixture::fused().record, "teaching").carried.empty());
}

TEST_CASE("measured runs have spread, and the gaps are what the graph takes beyond its launches") {
  const Side side = make_side(fixture::unfused(fixture::Times::measured).record, "real");
  CHECK(side.basis == Basis::measured);
  CHECK(side.basis_text == "measured on NVIDIA H200, warm");
  CHECK(side.total.low_us < side.total.median_us);
  CHECK(side.total.high_us > side.total.median_us);
  CHECK(side.segments.back().end_us() == Approx(side.total.median_us));
  CHECK(side.segments[0].gap_us > 0);
}

TEST_CASE("the verdict says who wins and what is saved") {
  const Side a = make_side(fixture::unfused().record, "teaching"),
             b = make_side(fixture::fused().record, "teaching");
  const Verdict verdict = judge(a, b);
  CHECK(verdict.headline.starts_with("Fused is 1.8"));
  CHECK(verdict.headline.ends_with("x as fast as unfused"));
  CHECK(verdict.detail.find("saves 3 launches and 3 intermediate tensors") != std::string::npos);
  CHECK(verdict.detail.find("4.10 kB less through DRAM") != std::string::npos);
  CHECK(verdict.tone == Tone::good);
  CHECK(judge(b, a).tone == Tone::bad);
}

TEST_CASE("a program's segment stands for all launches of its kernel") {
  runs::RunRecord program = fixture::unfused().record;
  for (runs::Benchmark& benchmark : program.benchmarks) benchmark.launches[0].count = 40;
  const Side a = make_side(program, "teaching"), b = make_side(fixture::fused().record, "teaching");
  CHECK(a.launches() == 43);
  CHECK(judge(a, b).detail.find("saves 42 launches") != std::string::npos);
  // As many as the terminal counts.
  const auto rows = difference_table(a, b);
  CHECK(row(rows, "Launches").a == format_count(runs::launches_of(program.benchmarks[0])));
  CHECK(row(rows, "Launches").magnitude == "42");
  CHECK(row(rows, "Launches").to < row(rows, "Launches").from);
}

TEST_CASE("fewer launches do not make a slower run the winner") {
  const Verdict verdict =
      judge(make_side(fixture::unfused().record, "real"), make_side(fixture::fused().record, "real"));
  CHECK(verdict.headline.starts_with("Unfused is 19"));
  CHECK(verdict.detail.ends_with("that is not enough at this shape."));
  CHECK(verdict.tone == Tone::bad);
}

TEST_CASE("times within noise, or of different kinds, get no winner") {
  const Side a = make_side(fixture::unfused(fixture::Times::measured).record, "teaching");
  Side b = a;
  b.variant = "fused";
  b.total.median_us *= 1.02;
  CHECK(judge(a, b).headline == "Too close to call: unfused and fused take the same time to 0.1 %");
  CHECK(judge(a, b).detail.find("spread wider") != std::string::npos);
  CHECK(row(difference_table(a, b), "Time").note == "too close to call");
  CHECK(judge(a, b).tone == Tone::neutral);
  const Side modelled = make_side(fixture::fused().record, "teaching");
  CHECK(judge(a, modelled).headline.find("modelled") != std::string::npos);
  CHECK(judge(a, modelled).tone == Tone::neutral);
}

TEST_CASE("the verdict is the terminal's: sizes and devices count, and why is told") {
  const auto first = fixture::unfused().record, second = fixture::fused().record;
  const Side a = make_side(first, "teaching"), b = make_side(second, "teaching");
  CHECK(judge(a, b).why.starts_with("Of "));
  CHECK(judge(a, b).why.find("3 launches fewer save") != std::string::npos);
  Side other = b;
  other.contestant.sizes[0].second += 1;
  CHECK(judge(a, other).headline.find("different sizes") != std::string::npos);
  CHECK(judge(a, other).tone == Tone::neutral);
  other = b;
  other.contestant.timing->device = "T4";
  CHECK(judge(a, other).headline.starts_with("Not comparable: "));
  Side close = b;  // within the model's error, which is larger than 2 %
  close.contestant.timing->us = {a.total.median_us * 1.08, a.total.median_us * 1.08,
                                 a.total.median_us * 1.08};
  CHECK(judge(a, close).headline == "Too close to call: unfused and fused differ by 8.0 %");
}

TEST_CASE("a cold time comes before a warm one, as in the terminal") {
  auto record = fixture::unfused(fixture::Times::measured).record;
  for (runs::Benchmark& benchmark : record.benchmarks) benchmark.graph_cold_us = {500.0, 500.0};
  CHECK(make_side(record, "real").total.median_us == 500.0);
}

TEST_CASE("a run without that benchmark, or without counters, is said to be so") {
  runs::RunRecord bare;
  bare.variant = "fused";
  const Side none = make_side(bare, "teaching");
  CHECK_FALSE(none.present);
  CHECK(judge(make_side(fixture::unfused().record, "teaching"), none).headline ==
        "Fused was not timed at this shape");
  runs::RunRecord uncounted = fixture::fused().record;
  for (auto& launch : uncounted.benchmarks[0].launches) launch.counters.reset();
  const Side side = make_side(uncounted, "teaching");
  CHECK_FALSE(side.counted);
  const auto rows = difference_table(make_side(fixture::unfused().record, "teaching"), side);
  CHECK(rows.size() == 3);  // launches, tensors, time: no bytes made up
}

TEST_CASE("the table has the differences and their ratio") {
  const auto rows = difference_table(make_side(fixture::unfused().record, "teaching"),
                                     make_side(fixture::fused().record, "teaching"));
  CHECK(row(rows, "Launches").difference == "−3");
  CHECK(row(rows, "Launches").ratio == "0.25x");
  CHECK(row(rows, "Intermediate tensors").b == "0");
  CHECK(row(rows, "DRAM together").difference == "−4.10 kB");
  CHECK(row(rows, "Time").tone == Tone::good);
  CHECK(row(rows, "Flops").tone == Tone::neutral);
  CHECK(row(rows, "DRAM read").metric == "dram__bytes_read.sum");
  CHECK(row(rows, "DRAM written").metric == "dram__bytes_write.sum");
  CHECK(row(rows, "Launches").metric.empty());
}

TEST_CASE("two runs of one variant are told apart") {
  Side a = make_side(fixture::fused().record, "teaching"), b = a;
  b.origin = "learner";
  CHECK(names_apart(a, b).first == "solution's fused");
  b.origin = a.origin;
  b.run = 9;
  CHECK(names_apart(a, b).second == "fused #9");
}

TEST_CASE("samples of measured runs lie on one axis, modelled runs have none") {
  const auto modelled = fixture::unfused().record, a = fixture::unfused(fixture::Times::measured).record;
  auto b = fixture::fused(fixture::Times::measured).record;
  CHECK(make_samples(&modelled, nullptr, "teaching").series.empty());
  for (runs::Benchmark& benchmark : b.benchmarks) benchmark.graph_cold_us = {9.0, 8.0, 7.0};
  const SampleSet set = make_samples(&a, &b, "teaching");
  REQUIRE(set.series.size() == 3);
  CHECK(!set.series[0].is_b);
  CHECK(set.series[1].is_b);
  CHECK(!set.series[1].cold);
  CHECK(set.series[2].cold);
  CHECK(set.series[2].timing.median_us == 8.0);
  int counted = 0;
  for (const SampleSeries& series : set.series) {
    int own = 0;
    for (const int count : series.counts) own += count;
    CHECK(own == static_cast<int>(series.us.size()));
    counted += own;
  }
  CHECK(counted == 53);
  CHECK(set.place(set.low_us) == Approx(0.0));
  CHECK(set.place(set.high_us) == Approx(1.0));
  CHECK(!set.logarithmic);
  b.benchmarks[0].graph_cold_us = {9000.0};
  const SampleSet wide = make_samples(&a, &b, "teaching");
  CHECK(wide.logarithmic);
  CHECK(wide.place(std::sqrt(wide.low_us * wide.high_us)) == Approx(0.5));
}

TEST_CASE("a measured and a modelled run of one variant are told apart by name, and not subtracted") {
  const Side a = make_side(fixture::unfused(fixture::Times::measured).record, "real"),
             b = make_side(fixture::unfused().record, "real");
  CHECK(names_apart(a, b) == std::pair<std::string, std::string>("measured", "modelled"));
  CHECK(row(difference_table(a, b), "Time").difference == "–");
  Side first = b, second = b;
  first.run = -2;
  second.run = 7;
  CHECK(names_apart(first, second) == std::pair<std::string, std::string>("unfused import 2", "unfused #7"));
}
