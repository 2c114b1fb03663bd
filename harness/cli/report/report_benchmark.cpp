// Launches, bytes moved, time a kernel; and the verdict against another variant.
#include <fmt/format.h>

#include <algorithm>

#include "cli/report/format.h"
#include "cli/report/report.h"
#include "cli/report/terminal.h"
#include "cli/run/timing.h"

namespace workbook::cli {
namespace {

std::string spread_text(const Timing& timing) {
  if (!timing.measured) return time_text(timing.us.median);
  return fmt::format("{} ({} to {})", time_text(timing.us.median), time_text(timing.us.low),
                     time_text(timing.us.high));
}

/// Share of the roof (DRAM or arithmetic, whichever is lower) that a launch reaches.
std::string roof_text(const runs::LaunchRecord& launch, const Timing& timing) {
  if (!launch.modelled || timing.us.median <= 0.0 ||
      timing.device.find(launch.modelled->gpu) == std::string::npos)
    return "-";
  const double floor = std::max(launch.modelled->dram_us, launch.modelled->arithmetic_us);
  return fmt::format("{:.1f} %", 100.0 * floor / timing.us.median);
}

std::string one_benchmark(const runs::RunRecord& record, const runs::Benchmark& benchmark) {
  const auto whole = timing_of(benchmark, record.device);
  std::string out =
      fmt::format("{}  {}   {}\n", paint(Colour::bold, fmt::format("Benchmark, {} shape:", benchmark.name)),
                  sizes_text(benchmark.sizes), paint(Colour::accent, whole ? whole->source() : "not timed"));
  Table table({"kernel", "grid", "block", "time", "of roof", "bound by", "DRAM read", "written", "GB/s"});
  table.left(5);
  for (const runs::LaunchRecord& launch : benchmark.launches) {
    const auto timing = timing_of(launch, record.device);
    const Traffic traffic = traffic_of(launch);
    table.row({launch.kernel, dim3_text(launch.grid), dim3_text(launch.block),
               timing ? spread_text(*timing) : "-", timing ? roof_text(launch, *timing) : "-",
               launch.modelled ? launch.modelled->bound : "-",
               launch.counters ? bytes_text(traffic.read) : "-",
               launch.counters ? bytes_text(traffic.written) : "-",
               timing && launch.counters ? rate_text(traffic.total(), timing->us.median) : "-"});
  }
  const Traffic sum = traffic_of(benchmark);
  table.row({count_text(static_cast<std::int64_t>(benchmark.launches.size()), "launch"), "", "",
             whole ? spread_text(*whole) : "-", "", "", sum.total() > 0 ? bytes_text(sum.read) : "-",
             sum.total() > 0 ? bytes_text(sum.written) : "-",
             whole && sum.total() > 0 ? rate_text(sum.total(), whole->us.median) : "-"});
  out += table.text();
  if (whole && whole->measured && benchmark.modelled_total_us > 0.0)
    out += paint(Colour::dim,
                 fmt::format("  the model says {}, {:+.0f} % off\n", time_text(benchmark.modelled_total_us),
                             100.0 * (benchmark.modelled_total_us / whole->us.median - 1.0)));
  if (benchmark.cpu_us > 0.0)
    out += paint(Colour::dim, fmt::format("  the CPU implementation, one thread of this machine: {}\n",
                                          time_text(benchmark.cpu_us)));
  return out + '\n';
}

}  // namespace

std::string benchmark_report(const runs::RunRecord& record) {
  std::string out;
  for (const runs::Benchmark& benchmark : record.benchmarks) out += one_benchmark(record, benchmark);
  return out;
}

std::string duel_report(const runs::RunRecord& record, const runs::RunRecord& rival) {
  std::string out;
  for (const runs::Benchmark& mine : record.benchmarks) {
    const runs::Benchmark* theirs = find_benchmark(rival, mine.name);
    if (!theirs || theirs->sizes != mine.sizes) continue;
    const auto a = timing_of(mine, record.device), b = timing_of(*theirs, rival.device);
    const Duel result = duel("--" + record.variant, a, "--" + rival.variant, b);
    const bool won = result.outcome == Duel::Outcome::first;
    out += fmt::format("  {:<9} {}", mine.name + ":", paint(won ? Colour::good : Colour::warn, result.words));
    if (a && b)
      out +=
          fmt::format("  ({} against {}, {})", time_text(a->us.median), time_text(b->us.median), a->source());
    out += '\n';
  }
  if (out.empty()) return "";
  const char* whose = rival.origin == "solution" ? ", the solution's" : "";
  return paint(Colour::bold, fmt::format("Against --{} (run {}{}):", rival.variant, rival.id, whose)) + '\n' +
         out + '\n';
}

}  // namespace workbook::cli
