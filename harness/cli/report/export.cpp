#include "cli/report/export.h"

#include <fmt/format.h>

#include "cli/report/format.h"
#include "runs/json.h"
#include "runs/timing.h"

namespace workbook::cli {
namespace {

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
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
                           run.record.verdict, bench.name, csv_text(sizes_text(bench.sizes)), i,
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
