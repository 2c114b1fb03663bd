#include "cli/report/export.h"

#include <fmt/format.h>

#include <set>

#include "cli/report/format.h"
#include "runs/json.h"
#include "runs/timeline.h"
#include "runs/timing.h"

namespace workbook::cli {
namespace {

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

/// A thread a host thread, one a stream; an arrow from each launch to its work on the device.
void add_calls(const runs::Benchmark& bench, std::int64_t process, runs::Json& events) {
  constexpr std::int64_t kStreams = 1000;  // thread numbers of streams begin here
  std::set<std::int64_t> lanes;
  const auto lane = [&](std::int64_t number) {
    if (!lanes.insert(number).second) return number;
    const std::string name = number < kStreams    ? fmt::format("host thread {}", number)
                             : number == kStreams ? std::string("device, default stream")
                                                  : fmt::format("device, stream {}", number - kStreams);
    events.push_back({{"ph", "M"},
                      {"name", "thread_name"},
                      {"pid", process},
                      {"tid", number},
                      {"args", {{"name", name}}}});
    events.push_back({{"ph", "M"},
                      {"name", "thread_sort_index"},
                      {"pid", process},
                      {"tid", number},
                      {"args", {{"sort_index", number}}}});
    return number;
  };
  const auto slice = [&](const std::string& name, const char* category, std::int64_t on, double from,
                         double to) {
    events.push_back({{"ph", "X"},
                      {"name", name},
                      {"cat", category},
                      {"pid", process},
                      {"tid", lane(on)},
                      {"ts", from},
                      {"dur", to - from}});
  };
  for (const runs::HostRange& range : runs::ranges_of(bench.calls))
    slice(range.name, "nvtx", range.thread, range.begin_us, range.end_us);
  std::int64_t arrow = process * 100000;
  for (const runs::HostCall& call : bench.calls) {
    if (call.kind == runs::CallKind::push || call.kind == runs::CallKind::pop) continue;
    const bool made_work =
        call.kind == runs::CallKind::launch || call.kind == runs::CallKind::graph || call.is_copy_or_set();
    if (call.kind == runs::CallKind::mark) {
      events.push_back({{"ph", "i"},
                        {"name", call.name},
                        {"cat", "nvtx"},
                        {"pid", process},
                        {"tid", lane(call.thread)},
                        {"ts", call.begin_us},
                        {"s", "t"}});
    } else if (call.end_us > call.begin_us) {
      slice(call.kind == runs::CallKind::launch ? "launch " + call.name : call.name, "runtime", call.thread,
            call.begin_us, call.end_us);
    }
    if (!call.on_device()) continue;
    const std::string work = call.is_copy_or_set() ? runs::word_of(call.kind) : call.name;
    slice(work, "device", kStreams + call.stream, call.device_begin_us, call.device_end_us);
    if (!made_work || call.end_us <= call.begin_us) continue;
    ++arrow;
    for (const bool start : {true, false}) {
      runs::Json event = {{"ph", start ? "s" : "f"},
                          {"name", "launch"},
                          {"cat", "launch"},
                          {"id", arrow},
                          {"pid", process},
                          {"tid", start ? call.thread : kStreams + call.stream},
                          {"ts", start ? call.begin_us : call.device_begin_us}};
      if (!start) event["bp"] = "e";
      events.push_back(std::move(event));
    }
  }
}

}  // namespace

std::string runs_json(const std::vector<runs::StoredRun>& runs) {
  runs::Json list = runs::Json::array();
  for (const runs::StoredRun& run : runs) list.push_back(runs::to_json(run.record));
  return runs::dump(list, 1) + '\n';
}

std::string launches_csv(const std::vector<runs::StoredRun>& runs) {
  std::string out =
      "run,started_at,puzzle,variant,origin,verdict,shape,sizes,launch,kernel,grid,block,time_us,p10_us,p90_"
      "us,source,dram_bytes_read,dram_bytes_written\n";
  for (const runs::StoredRun& run : runs)
    for (const runs::Benchmark& bench : run.record.benchmarks)
      for (std::size_t i = 0; i < bench.launches.size(); ++i) {
        const runs::LaunchRecord& launch = bench.launches[i];
        const auto timing = runs::timing_of(launch, run.record.device);
        const runs::Traffic traffic = runs::traffic_of(launch);
        out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", run.record.id,
                           run.record.started_at, run.record.puzzle, run.record.variant, run.record.origin,
                           word_of(run.record.verdict), bench.name, csv_text(sizes_text(bench.sizes)), i,
                           launch.kernel, csv_text(dim3_text(launch.grid)), csv_text(dim3_text(launch.block)),
                           timing ? timing->us.median : 0.0, timing ? timing->us.low : 0.0,
                           timing ? timing->us.high : 0.0, csv_text(timing ? timing->source() : "not timed"),
                           traffic.read, traffic.written);
      }
  return out;
}

std::string chrome_trace(const std::vector<runs::StoredRun>& runs) {
  runs::Json events = runs::Json::array();
  for (const runs::StoredRun& run : runs) {
    events.push_back({{"ph", "M"},
                      {"name", "process_name"},
                      {"pid", run.record.id},
                      {"args",
                       {{"name", fmt::format("run {}: puzzle {:02} --{} on {}", run.record.id,
                                             run.record.puzzle, run.record.variant, run.record.device)}}}});
    int lane = 0;
    for (const runs::Benchmark& bench : run.record.benchmarks) {
      if (!bench.calls.empty()) {
        add_calls(bench, run.record.id, events);
        continue;
      }
      events.push_back({{"ph", "M"},
                        {"name", "thread_name"},
                        {"pid", run.record.id},
                        {"tid", ++lane},
                        {"args", {{"name", bench.name + " shape"}}}});
      double at = 0.0;
      for (const runs::LaunchRecord& launch : bench.launches) {
        const auto timing = runs::timing_of(launch, run.record.device);
        if (!timing) continue;
        events.push_back({{"ph", "X"},
                          {"name", launch.kernel},
                          {"pid", run.record.id},
                          {"tid", lane},
                          {"ts", at},
                          {"dur", timing->us.median},
                          {"args",
                           {{"source", timing->source()},
                            {"grid", dim3_text(launch.grid)},
                            {"block", dim3_text(launch.block)}}}});
        at += timing->us.median;
      }
    }
  }
  return runs::dump({{"traceEvents", events}, {"displayTimeUnit", "ns"}}, 1) + '\n';
}

}  // namespace workbook::cli
