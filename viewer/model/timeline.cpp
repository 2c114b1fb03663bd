#include "model/timeline.h"

#include <algorithm>
#include <tuple>

#include "model/format.h"
#include "runs/timing.h"

namespace workbook::viewer {
namespace {

std::string work_name(const runs::HostCall& call) {
  return call.kind == "copy" || call.kind == "set" ? call.kind : short_kernel(call.name);
}

class Maker {
 public:
  explicit Maker(const runs::Benchmark& benchmark) : calls_(benchmark.calls) {}

  Timeline make() {
    timeline_.program = true;
    timeline_.begin_us = calls_.front().begin_us;
    timeline_.end_us = timeline_.begin_us + std::max(1e-3, runs::program_us(calls_));
    timeline_.busy = runs::device_busy(calls_);
    const std::vector<runs::HostRange> ranges = runs::ranges_of(calls_);
    // All lanes first: bars are put in by their place among them.
    for (const runs::HostRange& range : ranges) need({0, range.thread, 0, range.depth});
    for (const runs::HostCall& call : calls_) {
      need({0, call.thread, 1, 0});
      if (call.on_device()) need({1, call.stream, 0, 0});
    }
    std::sort(keys_.begin(), keys_.end());
    timeline_.lanes.resize(keys_.size());
    for (std::size_t i = 0; i < keys_.size(); ++i) label(timeline_.lanes[i], keys_[i]);
    for (const runs::HostRange& range : ranges)
      lane({0, range.thread, 0, range.depth})
          .bars.push_back({TimelineBar::Kind::range, range.begin_us, range.end_us, range.name, "",
                           plural(range.launches, "launch") + " in it, " + format_us(range.device_us) +
                               " on the device" + (range.closed ? "" : "; it is never popped")});
    for (const runs::HostCall& call : calls_) add(call);
    for (TimelineLane& each : timeline_.lanes)
      std::stable_sort(each.bars.begin(), each.bars.end(),
                       [](const auto& a, const auto& b) { return a.begin_us < b.begin_us; });
    return std::move(timeline_);
  }

 private:
  /// Host before device; thread or stream; ranges before calls; depth.
  using Key = std::tuple<int, std::int64_t, int, int>;

  void need(const Key& key) {
    if (std::find(keys_.begin(), keys_.end(), key) == keys_.end()) keys_.push_back(key);
  }
  std::size_t at(const Key& key) const {
    return static_cast<std::size_t>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
  }
  TimelineLane& lane(const Key& key) { return timeline_.lanes[at(key)]; }

  static void label(TimelineLane& lane, const Key& key) {
    const auto [device, number, calls, depth] = key;
    lane.device = device == 1;
    const std::string of = std::to_string(number);
    if (device == 1)
      lane.label = number == 0 ? "Device" : "Device, stream " + of;
    else if (calls == 1)
      lane.label = "Host, thread " + of;
    else if (depth == 0)
      lane.label = "NVTX, thread " + of;
  }

  void add(const runs::HostCall& call) {
    using Kind = TimelineBar::Kind;
    const Key host{0, call.thread, 1, 0}, device{1, call.stream, 0, 0};
    const std::string work = call.on_device() ? work_name(call) : "";
    const std::string name = call.kind == "launch" ? "launch " + work_name(call) : call.name;
    const std::string ran = format_us(call.device_end_us - call.device_begin_us);
    if (call.end_us > call.begin_us) {
      std::string more =
          call.on_device() ? "its work: " + ran + ", from " + format_us(call.device_begin_us) : "";
      if (call.waits && call.on_device()) more += "; the host waits for it";
      lane(host).bars.push_back({call.kind == "wait" || call.waits ? Kind::wait : Kind::call, call.begin_us,
                                 call.end_us, name, work, more});
    } else if (call.kind == "mark" || call.kind == "event") {
      lane(host).bars.push_back({Kind::mark, call.begin_us, call.begin_us, call.name, "", ""});
    }
    if (!call.on_device()) return;
    lane(device).bars.push_back(
        {Kind::work, call.device_begin_us, call.device_end_us, work, work,
         call.end_us > call.begin_us
             ? format_us(std::max(0.0, call.device_begin_us - call.begin_us)) + " after it was asked for"
             : ""});
    if (call.end_us > call.begin_us)
      timeline_.arrows.push_back(
          {at(host), at(device), std::min(call.end_us, call.device_begin_us), call.device_begin_us});
  }

  const std::vector<runs::HostCall>& calls_;
  std::vector<Key> keys_;
  Timeline timeline_;
};

}  // namespace

Timeline make_timeline(const runs::Benchmark& benchmark, const std::string& device) {
  if (!benchmark.calls.empty()) return Maker(benchmark).make();
  Timeline timeline;
  TimelineLane lane{"Device", {}, true};
  for (const runs::LaunchRecord& launch : benchmark.launches)
    if (const auto timing = runs::timing_of(launch, device)) {
      const std::string name = short_kernel(launch.kernel);
      const double from = timeline.end_us;
      timeline.end_us += timing->us.median;
      lane.bars.push_back({TimelineBar::Kind::work, from, timeline.end_us, name, name,
                           "grid " + format_dim3(launch.grid) + ", block " + format_dim3(launch.block)});
    }
  if (timeline.end_us > 0.0) timeline.lanes.push_back(std::move(lane));
  return timeline;
}

const runs::Benchmark* timeline_benchmark(const runs::RunRecord& run, const std::string& name) {
  const runs::Benchmark* named = nullptr;
  for (const runs::Benchmark& benchmark : run.benchmarks) {
    if (!benchmark.calls.empty()) return &benchmark;
    if (benchmark.name == name) named = &benchmark;
  }
  return named;
}

std::size_t first_after(const TimelineLane& lane, double us) {
  const auto found = std::lower_bound(
      lane.bars.begin(), lane.bars.end(), us,
      [](const TimelineBar& bar, double at) { return bar.end_us <= at && bar.begin_us < at; });
  return static_cast<std::size_t>(found - lane.bars.begin());
}

}  // namespace workbook::viewer
