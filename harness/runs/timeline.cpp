#include "runs/timeline.h"

#include <algorithm>
#include <map>

#include "runs/timing.h"

namespace workbook::runs {
namespace {

std::string call_word(const HostCall& call) {
  if (call.kind == CallKind::copy && !call.waits) return "copy_async";
  const std::string kind = word_of(call.kind);
  if (!call.is_kernel() && call.kind != CallKind::push && call.kind != CallKind::mark) return kind;
  std::string name = call.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return kind + ":" + name;
}

/// "step 12" and "step_12" are steps.
std::string without_number(const std::string& name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  if (last == std::string::npos || last + 1 == name.size()) return name;
  const std::size_t end = name.find_last_not_of(" _-#:", last);
  return end == std::string::npos ? name : name.substr(0, end + 1);
}

void count(ProfileRow& row, double us) {
  row.min_us = row.calls == 0 ? us : std::min(row.min_us, us);
  row.max_us = std::max(row.max_us, us);
  row.total_us += us;
  ++row.calls;
}

ProfileRow& row_named(std::vector<ProfileRow>& rows, const std::string& name) {
  const auto known = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name == name; });
  if (known != rows.end()) return *known;
  rows.emplace_back().name = name;
  return rows.back();
}

}  // namespace

std::string call_words(const std::vector<HostCall>& calls) {
  std::string words;
  for (const HostCall& call : calls) words += call_word(call) + ' ';
  return words;
}

std::string stream_words(const std::vector<HostCall>& calls) {
  std::map<std::int64_t, std::string> words;
  for (const HostCall& call : calls)
    if (call.on_device() || call.kind == CallKind::event || call.kind == CallKind::wait)
      words[call.stream] += call_word(call) + ' ';
  std::string all;
  for (const auto& [stream, its] : words) all += '@' + std::to_string(stream) + ' ' + its;
  return all;
}

std::vector<HostRange> ranges_of(const std::vector<HostCall>& calls) {
  std::vector<HostRange> ranges;
  std::map<std::int64_t, std::vector<std::size_t>> open;  // of each thread
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const HostCall& call = calls[i];
    std::vector<std::size_t>& mine = open[call.thread];
    if (call.kind == CallKind::push) {
      HostRange range;
      range.name = call.name;
      range.thread = call.thread;
      range.depth = static_cast<int>(mine.size());
      range.begin_us = call.begin_us;
      range.first = i;
      range.closed = false;
      mine.push_back(ranges.size());
      ranges.push_back(std::move(range));
    }
    for (const std::size_t r : mine) {
      ranges[r].device_us += call.device_end_us - call.device_begin_us;
      ranges[r].launches += call.is_kernel();
      ranges[r].end_us = call.end_us;
      ranges[r].last = i;
    }
    if (call.kind == CallKind::pop && !mine.empty()) {
      ranges[mine.back()].closed = true;
      mine.pop_back();
    }
  }
  return ranges;
}

std::vector<ProfileRow> kernel_profile(const Benchmark& benchmark, const std::string& device) {
  std::vector<ProfileRow> rows;
  for (const HostCall& call : benchmark.calls)
    if (call.on_device())
      count(row_named(rows, call.is_copy_or_set() ? '[' + std::string(word_of(call.kind)) + ']' : call.name),
            call.device_end_us - call.device_begin_us);
  if (benchmark.calls.empty())
    for (const LaunchRecord& launch : benchmark.launches)
      if (const auto timing = timing_of(launch, device))
        count(row_named(rows, launch.kernel), timing->us.median);
  double total = 0.0;
  for (const ProfileRow& row : rows) total += row.total_us;
  for (ProfileRow& row : rows) row.share = total > 0.0 ? row.total_us / total : 0.0;
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ProfileRow& a, const ProfileRow& b) { return a.total_us > b.total_us; });
  return rows;
}

std::vector<ProfileRow> range_profile(const std::vector<HostCall>& calls) {
  std::vector<ProfileRow> rows;
  for (const HostRange& range : ranges_of(calls)) {
    const std::size_t known = rows.size();
    ProfileRow& row = row_named(rows, without_number(range.name));
    row.depth = rows.size() > known ? range.depth : std::max(row.depth, range.depth);
    count(row, range.end_us - range.begin_us);
    row.device_us += range.device_us;
    row.launches += range.launches;
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ProfileRow& a, const ProfileRow& b) { return a.depth < b.depth; });
  return rows;
}

double program_us(const std::vector<HostCall>& calls) {
  double end = 0.0;
  for (const HostCall& call : calls) end = std::max({end, call.end_us, call.device_end_us});
  return calls.empty() ? 0.0 : end - calls.front().begin_us;
}

double device_busy(const std::vector<HostCall>& calls) {
  std::vector<std::pair<double, double>> work;
  for (const HostCall& call : calls)
    if (call.on_device()) work.emplace_back(call.device_begin_us, call.device_end_us);
  std::sort(work.begin(), work.end());
  double busy = 0.0, until = 0.0;
  for (const auto& [begin, end] : work) {
    busy += std::max(0.0, end - std::max(begin, until));
    until = std::max(until, end);
  }
  const double all = program_us(calls);
  return all > 0.0 ? busy / all : 0.0;
}

}  // namespace workbook::runs
