#include "cli/report/profile_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/base/terminal.h"
#include "cli/report/format.h"
#include "runs/timeline.h"
#include "runs/timing.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kMostCalls = 60;  ///< that the terminal shows from each end

std::string cut(const std::string& name, std::size_t most) {
  return name.size() <= most ? name : name.substr(0, most - 3) + "...";
}

std::string kernel_table(const std::vector<runs::ProfileRow>& rows) {
  Table table({"kernel", "calls", "total", "share", "average", "min", "max"});
  for (const runs::ProfileRow& row : rows)
    table.row({cut(row.name, 28), std::to_string(row.calls), time_text(row.total_us),
               fmt::format("{:.0f} %", row.share * 100.0), time_text(row.average_us()), time_text(row.min_us),
               time_text(row.max_us)});
  return table.empty() ? "" : table.text();
}

std::string range_table(const std::vector<runs::ProfileRow>& rows) {
  Table table({"NVTX range", "times", "launches", "on the host", "average", "on the device"});
  for (const runs::ProfileRow& row : rows)
    table.row({std::string(static_cast<std::size_t>(row.depth) * 2, ' ') + cut(row.name, 24),
               std::to_string(row.calls), std::to_string(row.launches), time_text(row.total_us),
               time_text(row.average_us()), time_text(row.device_us)});
  return table.empty() ? "" : table.text();
}

std::string at_text(double us) { return fmt::format("{:.2f}", us); }

std::string call_table(const std::vector<runs::HostCall>& calls) {
  Table table({"host from", "to", "call", "device from", "to"});
  table.left(2);
  std::size_t depth = 0;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const runs::HostCall& call = calls[i];
    if (call.kind == runs::CallKind::pop && depth > 0) --depth;
    if (calls.size() <= 2 * kMostCalls || i < kMostCalls || i >= calls.size() - kMostCalls) {
      std::string what = runs::word_of(call.kind);
      if (call.kind == runs::CallKind::copy && !call.waits) what = "copy_async";
      if (call.is_kernel() || call.kind == runs::CallKind::push || call.kind == runs::CallKind::mark)
        what += " " + call.name;
      table.row({at_text(call.begin_us), at_text(call.end_us), cut(std::string(depth * 2, ' ') + what, 36),
                 call.on_device() ? at_text(call.device_begin_us) : "",
                 call.on_device() ? at_text(call.device_end_us) : ""});
    } else if (i == kMostCalls) {
      table.row({"...", "", fmt::format("{} calls", calls.size() - 2 * kMostCalls), "", ""});
    }
    if (call.kind == runs::CallKind::push) ++depth;
  }
  return table.text();
}

runs::Json rows_json(const std::vector<runs::ProfileRow>& rows, bool ranges) {
  runs::Json list = runs::Json::array();
  for (const runs::ProfileRow& row : rows) {
    runs::Json json = {{"name", row.name},         {"calls", row.calls},
                       {"total_us", row.total_us}, {"average_us", row.average_us()},
                       {"min_us", row.min_us},     {"max_us", row.max_us}};
    if (ranges) {
      json["depth"] = row.depth;
      json["launches"] = row.launches;
      json["device_us"] = row.device_us;
    } else {
      json["share"] = row.share;
    }
    list.push_back(std::move(json));
  }
  return list;
}

/// Where the numbers come from.
std::string source_of(const runs::RunRecord& record, const runs::Benchmark& benchmark) {
  if (benchmark.calls.empty() && !benchmark.launches.empty())
    if (const auto timing = runs::timing_of(benchmark.launches.front(), record.device))
      return timing->source();
  return record.device;
}

}  // namespace

std::string profile_tables(const runs::Benchmark& benchmark, const std::string& device) {
  std::string out = kernel_table(runs::kernel_profile(benchmark, device));
  if (const std::string ranges = range_table(runs::range_profile(benchmark.calls)); !ranges.empty())
    out += '\n' + ranges;
  if (!benchmark.calls.empty())
    out +=
        fmt::format("\n  {} from the first call to the last work, the device busy for {:.0f} % of it\n",
                    time_text(runs::program_us(benchmark.calls)), runs::device_busy(benchmark.calls) * 100.0);
  if (benchmark.calls_left_out > 0)
    out += fmt::format("  The first {} calls are on record; {} came after them.\n", benchmark.calls.size(),
                       benchmark.calls_left_out);
  return out;
}

std::string profile_text(const runs::RunRecord& record, const runs::Benchmark& benchmark, bool calls) {
  std::string out = paint(Colour::bold, fmt::format("Run {}: puzzle {:02} --{}, {}", record.id, record.puzzle,
                                                    record.variant, word_of(record.verdict))) +
                    '\n' + source_of(record, benchmark);
  if (!benchmark.sizes.empty()) out += ", " + sizes_text(benchmark.sizes);
  out += "\n\n" + profile_tables(benchmark, record.device);
  if (calls && benchmark.calls.empty()) out += "\n  Calls are recorded of programs only.\n";
  if (calls && !benchmark.calls.empty()) out += "\nThe host's calls, in us:\n" + call_table(benchmark.calls);
  return out;
}

runs::Json profile_json(const runs::RunRecord& record, const runs::Benchmark& benchmark) {
  return {{"run", record.id},
          {"puzzle", record.puzzle},
          {"variant", record.variant},
          {"source", source_of(record, benchmark)},
          {"kernels", rows_json(runs::kernel_profile(benchmark, record.device), false)},
          {"ranges", rows_json(runs::range_profile(benchmark.calls), true)},
          {"calls", runs::to_json(benchmark)["calls"]},
          {"program_us", runs::program_us(benchmark.calls)},
          {"device_busy", runs::device_busy(benchmark.calls)}};
}

}  // namespace workbook::cli
