#include "model/timeline.h"

#include "fixture.h"
#include "model/compare.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

const TimelineLane& lane_called(const Timeline& timeline, const std::string& label) {
  for (const TimelineLane& lane : timeline.lanes)
    if (lane.label == label) return lane;
  FAIL("no lane is called " << label);
  return timeline.lanes.front();
}

}  // namespace

TEST_CASE("a program's ranges stand over its calls, those over the streams; no bar overlaps another") {
  const Timeline timeline = make_timeline(fixture::program(3).record.benchmarks[0], "H200 (modelled)");
  REQUIRE(timeline.lanes.size() == 4);
  CHECK(timeline.program);
  CHECK(timeline.lanes[0].label == "NVTX, thread 0");
  CHECK(timeline.lanes[1].label.empty());
  CHECK(timeline.lanes[2].label == "Host, thread 0");
  CHECK(timeline.lanes[3].label == "Device");
  CHECK(timeline.lanes[0].bars.size() == 3);
  CHECK(timeline.lanes[1].bars.size() == 6);
  CHECK(timeline.lanes[3].bars.size() == 13);
  CHECK(timeline.arrows.size() == 13);
  for (const TimelineLane& lane : timeline.lanes)
    for (std::size_t i = 1; i < lane.bars.size(); ++i)
      CHECK(lane.bars[i].begin_us >= lane.bars[i - 1].end_us - 1e-9);
  for (const TimelineArrow& arrow : timeline.arrows) CHECK(arrow.from_us <= arrow.to_us);
}

TEST_CASE("a bar says what it is, how long its work took and what waited for it") {
  const Timeline timeline = make_timeline(fixture::program(1).record.benchmarks[0], "H200 (modelled)");
  const TimelineLane& host = lane_called(timeline, "Host, thread 0");
  CHECK(host.bars[0].name == "cudaMemcpy");
  CHECK(host.bars[0].kind == TimelineBar::Kind::wait);
  CHECK(host.bars[0].more == "its work: 12.0 µs, from 3.00 µs; the host waits for it");
  CHECK(host.bars[1].kind == TimelineBar::Kind::mark);
  CHECK(host.bars[2].name == "launch linear");
  CHECK(host.bars[2].work == "linear");
  CHECK(lane_called(timeline, "Device").bars[0].name == "copy");
  CHECK(lane_called(timeline, "NVTX, thread 0").bars[0].more == "4 launches in it, 18.0 µs on the device");
}

TEST_CASE("launches of a puzzle that is no program follow one another at the chosen shape") {
  const runs::RunRecord run = fixture::unfused().record;
  const runs::Benchmark* real = timeline_benchmark(run, "real");
  REQUIRE(real != nullptr);
  const Timeline timeline = make_timeline(*real, run.device);
  CHECK_FALSE(timeline.program);
  REQUIRE(timeline.lanes.size() == 1);
  REQUIRE(timeline.lanes[0].bars.size() == 8);
  CHECK(timeline.lanes[0].bars[4].name == "launch overhead");
  CHECK(timeline.lanes[0].bars[5].name == "matmul_tiled");
  CHECK(timeline.end_us == Approx(341.0 + 7.2 + 2154.0 + 29.0));
  CHECK(timeline_benchmark(run, "no such shape") == nullptr);
  CHECK(make_timeline({}, "").empty());
}

TEST_CASE("Timeline and Compare agree on what is launch overhead, modelled and measured") {
  for (const auto times : {fixture::Times::modelled, fixture::Times::measured}) {
    const runs::RunRecord run = fixture::unfused(times).record;
    const Side side = make_side(run, "teaching");
    const runs::Benchmark& benchmark = *timeline_benchmark(run, "teaching");
    double overhead = 0.0, work = 0.0, starts = 0.0, busy = 0.0;
    for (const Segment& segment : side.segments) {
      overhead += segment.gap_us;
      work += segment.busy_us;
    }
    REQUIRE(overhead > 0.0);
    const Timeline timeline = make_timeline(benchmark, run.device);
    for (const TimelineBar& bar : timeline.lanes[0].bars)
      (bar.kind == TimelineBar::Kind::overhead ? starts : busy) += bar.end_us - bar.begin_us;
    CHECK(starts == Approx(overhead));
    CHECK(busy == Approx(work));
    CHECK(timeline.end_us == Approx(side.total.median_us));
    double listed = 0.0;
    for (const runs::ProfileRow& row : timeline_profile(benchmark, run.device))
      if (row.name == overhead_words(side.basis)) listed = row.total_us;
    CHECK(listed == Approx(overhead));
  }
}

TEST_CASE("what a program called is shown whatever shape is chosen") {
  const runs::RunRecord run = fixture::program(1).record;
  CHECK(timeline_benchmark(run, "real") == &run.benchmarks[0]);
}

TEST_CASE("the first bar in sight is found among many") {
  const Timeline timeline = make_timeline(fixture::program(500).record.benchmarks[0], "");
  const TimelineLane& device = lane_called(timeline, "Device");
  REQUIRE(device.bars.size() == 2001);
  for (const std::size_t i : {std::size_t{0}, std::size_t{7}, std::size_t{2000}}) {
    CHECK(first_after(device, device.bars[i].begin_us) == i);
    CHECK(first_after(device, device.bars[i].end_us) == i + 1);
  }
}
