#include "model/timeline.h"

#include <algorithm>
#include <tuple>

#include "model/compare.h"
#include "model/format.h"

namespace workbook::viewer {
namespace {

std::string work_name(const runs::HostCall& call) {
  return call.is_copy_or_set() ? runs::word_of(call.kind) : short_kernel(call.name);
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
    const std::string name = call.kind == runs::CallKind::launch ? "launch " + work_name(call) : call.name;
    const std::string ran = format_us(call.device_end_us - call.device_begin_us);
    if (call.end_us > call.begin_us) {
      std::string more =
          call.on_device() ? "its work: " + ran + ", from " + format_us(call.device_begin_us) : "";
      if (call.waits && call.on_device()) more += "; the host waits for it";
      lane(host).bars.push_back({call.kind == runs::CallKind::wait || call.waits ? Kind::wait : Kind::call,
                                 call.begin_us, call.end_us, name, work, more});
    } else if (call.kind == runs::CallKind::mark || call.kind == runs::CallKind::event) {
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

Side side_of(const runs::Benchmark& benchmark, const std::string& device) {
  runs::RunRecord run;
  run.device = device;
  run.benchmarks = {benchmark};
  return make_side(run, benchmark.name);
}

}  // namespace

Timeline make_timeline(const runs::Benchmark& benchmark, const std::string& device) {
  if (!benchmark.calls.empty()) return Maker(benchmark).make();
  // Of launches what Compare shows: what each costs to start, then its work.
  const Side side = side_of(benchmark, device);
  Timeline timeline;
  TimelineLane lane{"Device", {}, true};
  for (const Segment& segment : side.segments) {
    if (segment.gap_us + segment.busy_us <= 0.0) continue;
    const std::string name = short_kernel(segment.kernel);
    const double works = segment.start_us + segment.gap_us;
    if (segment.gap_us > 0.0)
      lane.bars.push_back({TimelineBar::Kind::overhead, segment.start_us, works, overhead_words(side.basis),
                           "", "of " + name});
    lane.bars.push_back({TimelineBar::Kind::work, works, segment.end_us(), name, name,
                         "grid " + format_dim3(segment.grid) + ", block " + format_dim3(segment.block)});
    timeline.end_us = segment.end_us();
  }
  if (timeline.end_us > 0.0) timeline.lanes.push_back(std::move(lane));
  return timeline;
}

std::vector<runs::ProfileRow> timeline_profile(const runs::Benchmark& benchmark, const std::string& device) {
  if (!benchmark.calls.empty()) return runs::kernel_profile(benchmark, device);
  const Side side = side_of(benchmark, device);
  std::vector<runs::ProfileRow> rows;
  double total = 0.0;
  const auto count = [&](const std::string& name, std::int64_t calls, double us) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.name == name; });
    if (row == rows.end()) row = rows.insert(rows.end(), {name, 0, 0.0, us, us});
    row->calls += calls;
    row->total_us += us;
    row->min_us = std::min(row->min_us, us);
    row->max_us = std::max(row->max_us, us);
    total += us;
  };
  for (const Segment& segment : side.segments) {
    if (segment.busy_us > 0.0) count(segment.kernel, segment.count, segment.busy_us);
    if (segment.gap_us > 0.0) count(overhead_words(side.basis), segment.count, segment.gap_us);
  }
  for (runs::ProfileRow& row : rows) row.share = total > 0.0 ? row.total_us / total : 0.0;
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& first, const auto& second) { return first.total_us > second.total_us; });
  return rows;
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
