// Launches, bytes moved, time a kernel; and the verdict against another variant.
#include <fmt/format.h>

#include <algorithm>

#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/report/format.h"
#include "cli/report/report.h"
#include "clock/gpus.h"
#include "clock/model.h"
#include "runs/metrics.h"
#include "runs/timing.h"

namespace workbook::cli {
namespace {

using runs::Duel;
using runs::Timing;
using runs::Traffic;

/// Launches of one kernel in a row, alike in all but what they are given: a line of the table.
struct Row {
  const runs::LaunchRecord& first;
  std::int64_t count = 0;
  double us = 0.0;  ///< 0: not timed
  double floor_us =
      0.0;  ///< what DRAM or arithmetic alone would take by the datasheet, the larger; 0: not known
  double bytes = 0.0;  ///< through DRAM
};

void add(Row& row, const runs::LaunchRecord& launch, const std::string& device) {
  row.count += launch.count;
  if (launch.counters) row.bytes += static_cast<double>(traffic_of(launch).total());
  const auto timing = timing_of(launch, device);
  if (!timing) return;
  row.us += timing->us.median;
  const sim::GpuSpec* gpu = launch.modelled ? sim::find_gpu(launch.modelled->gpu) : nullptr;
  if (!launch.counters || gpu == nullptr || timing->device.find(gpu->name) == std::string::npos) return;
  row.floor_us += std::max(static_cast<double>(traffic_of(launch).total()) / (gpu->dram_gbps * 1e3),
                           sim::arithmetic_floor_us(*gpu, *launch.counters));
}

std::vector<Row> rows_of(const runs::Benchmark& benchmark, const std::string& device) {
  std::vector<Row> rows;
  for (const runs::LaunchRecord& launch : benchmark.launches) {
    if (rows.empty() || rows.back().first.kernel != launch.kernel || rows.back().first.grid != launch.grid ||
        rows.back().first.block != launch.block)
      rows.push_back({launch});
    add(rows.back(), launch, device);
  }
  return rows;
}

std::string one_benchmark(const runs::RunRecord& record, const runs::Benchmark& benchmark) {
  const auto whole = timing_of(benchmark, record.device);
  std::string out =
      fmt::format("{} {}\n  {}\n", paint(Colour::bold, fmt::format("Benchmark, {} shape:", benchmark.name)),
                  sizes_text(benchmark.sizes), paint(Colour::accent, whole ? whole->source() : "not timed"));
  Table table({"kernel", "grid", "block", "time", "of roof", "bound by", "DRAM"});
  table.left(5);
  for (const Row& row : rows_of(benchmark, record.device))
    table.row(
        {row.first.kernel + (row.count > 1 ? fmt::format(", {} times", row.count) : ""),
         dim3_text(row.first.grid), dim3_text(row.first.block), row.us > 0.0 ? time_text(row.us) : "-",
         row.us > 0.0 && row.floor_us > 0.0 ? fmt::format("{:.1f} %", 100.0 * row.floor_us / row.us) : "-",
         row.first.modelled ? runs::word_of(row.first.modelled->bound) : "-",
         row.first.counters ? bytes_text(row.bytes) : "-"});
  const Traffic sum = traffic_of(benchmark);
  table.row({count_text(launches_of(benchmark), "launch"), "", "", whole ? time_text(whole->us.median) : "-",
             "", "", sum.total() > 0 ? bytes_text(sum.total()) : "-"});
  out += table.text();
  if (whole && whole->measured)
    out += paint(Colour::dim, fmt::format("  9 of 10 runs took more than {}, 9 of 10 less than {}",
                                          time_text(whole->us.low), time_text(whole->us.high))) +
           '\n';
  if (whole && sum.total() > 0)
    out +=
        paint(Colour::dim, fmt::format("  DRAM: {} read and {} written, {} GB/s", bytes_text(sum.read),
                                       bytes_text(sum.written), rate_text(sum.total(), whole->us.median))) +
        '\n';
  if (whole && whole->measured && benchmark.modelled_total_us > 0.0)
    out += paint(Colour::dim,
                 fmt::format("  the model says {}, {:+.0f} % off", time_text(benchmark.modelled_total_us),
                             100.0 * (benchmark.modelled_total_us / whole->us.median - 1.0))) +
           '\n';
  if (benchmark.cpu_us > 0.0)
    out += paint(Colour::dim, fmt::format("  the CPU implementation, one thread of this machine: {}",
                                          time_text(benchmark.cpu_us))) +
           '\n';
  return out + '\n';
}

std::string value_of(const runs::Metric& metric) {
  return metric.unit == runs::Metric::Unit::bytes ? bytes_text(metric.value) : value_text(metric);
}

}  // namespace

std::string benchmark_report(const runs::RunRecord& record) {
  std::string out;
  for (const runs::Benchmark& benchmark : record.benchmarks) out += one_benchmark(record, benchmark);
  return fitted(out);
}

std::string counters_report(const runs::RunRecord& record) {
  std::string out;
  bool waits = false;
  for (const runs::Benchmark& benchmark : record.benchmarks)
    for (const runs::LaunchRecord& launch : benchmark.launches) {
      const std::vector<runs::Metric> metrics = metrics_of(launch);
      if (metrics.empty()) continue;
      out +=
          paint(Colour::bold, fmt::format("Counters of {}, {} shape:", launch.kernel, benchmark.name)) + '\n';
      for (const runs::Metric& metric : metrics) {
        out += fmt::format("  {:<26} {:>9}\n", metric.words, value_of(metric));
        if (!metric.nvidia.empty()) out += "    " + paint(Colour::dim, metric.nvidia) + '\n';
        waits = waits || metric.nvidia.empty();
      }
      out += '\n';
    }
  if (!out.empty()) out += occupancy_report(record);
  if (out.empty()) return "";
  out += "  The names under the counters are Nsight Compute's: ncu --metrics NAME.\n";
  if (waits)
    out += fmt::format("  Waits are the workbook's own; what comes nearest on a GPU is\n    {}\n",
                       paint(Colour::dim, std::string(runs::kStalledForMemory)));
  return out + '\n';
}

std::string duel_report(const runs::RunRecord& record, const runs::RunRecord& rival) {
  std::string out;
  for (const runs::Benchmark& mine : record.benchmarks) {
    const runs::Benchmark* theirs = find_benchmark(rival, mine.name);
    if (!theirs || theirs->sizes != mine.sizes) continue;
    const auto a = contestant("--" + record.variant, record, mine),
               b = contestant("--" + rival.variant, rival, *theirs);
    const Duel result = duel(a, b);
    const bool won = result.outcome == Duel::Outcome::first;
    out += fmt::format("  {:<9} {}", mine.name + ":",
                       paint(won ? Colour::good : Colour::warn, words_of(result, a, b)));
    const auto [first, second] = as_named(result, a, b);
    if (result.outcome != Duel::Outcome::not_comparable)
      out +=
          fmt::format(" ({}, {})", time_text(first->timing->us.median), time_text(second->timing->us.median));
    out += '\n';
  }
  if (out.empty()) return "";
  const char* whose = runs::is_solution(rival.origin) ? ", the solution's" : "";
  return fitted(paint(Colour::bold, fmt::format("Against --{} (run {}{}):", rival.variant, rival.id, whose)) +
                '\n' + out + '\n');
}

}  // namespace workbook::cli
