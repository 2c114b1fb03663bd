#include "cli/run/timing.h"

#include <algorithm>

namespace workbook::cli {
namespace {

std::optional<Timing> measured(const std::vector<double>& samples, bool cold, const std::string& device) {
  if (samples.empty()) return std::nullopt;
  return Timing{true, cold, device, spread_of(samples)};
}

}  // namespace

std::string Timing::source() const {
  if (!measured) return "modelled (" + device + ")";
  return "measured on " + device + (cold ? ", cold" : ", warm");
}

std::optional<Timing> timing_of(const runs::LaunchRecord& launch, const std::string& device) {
  if (const auto cold = measured(launch.cold_us, true, device)) return cold;
  if (const auto warm = measured(launch.warm_us, false, device)) return warm;
  if (!launch.modelled) return std::nullopt;
  const double us = launch.modelled->total_us;
  return Timing{false, false, launch.modelled->gpu, {us, us, us}};
}

std::optional<Timing> timing_of(const runs::Benchmark& benchmark, const std::string& device) {
  if (const auto cold = measured(benchmark.graph_cold_us, true, device)) return cold;
  if (const auto warm = measured(benchmark.graph_warm_us, false, device)) return warm;
  if (const auto host = measured(benchmark.host_us, false, device)) return host;
  if (benchmark.modelled_total_us <= 0.0) return std::nullopt;
  const double us = benchmark.modelled_total_us;
  const bool named = !benchmark.launches.empty() && benchmark.launches.front().modelled;
  return Timing{false, false, named ? benchmark.launches.front().modelled->gpu : device, {us, us, us}};
}

Traffic traffic_of(const runs::LaunchRecord& launch) {
  if (!launch.counters) return {};
  return {static_cast<double>(launch.counters->dram_bytes_read),
          static_cast<double>(launch.counters->dram_bytes_written)};
}

Traffic traffic_of(const runs::Benchmark& benchmark) {
  Traffic sum;
  for (const runs::LaunchRecord& launch : benchmark.launches) {
    const Traffic one = traffic_of(launch);
    sum.read += one.read;
    sum.written += one.written;
  }
  return sum;
}

const runs::Benchmark* find_benchmark(const runs::RunRecord& record, const std::string& name) {
  for (const runs::Benchmark& benchmark : record.benchmarks)
    if (benchmark.name == name) return &benchmark;
  return nullptr;
}

Duel duel(const std::string& a_name, const std::optional<Timing>& a, const std::string& b_name,
          const std::optional<Timing>& b) {
  using Outcome = Duel::Outcome;
  if (!a || !b) return {Outcome::not_comparable, 1.0, "one of them was not timed"};
  if (a->measured != b->measured || a->device != b->device || a->cold != b->cold)
    return {Outcome::not_comparable, 1.0,
            "not comparable: one is " + a->source() + ", the other " + b->source()};
  const bool a_is_faster = a->us.median <= b->us.median;
  const Spread& fast = a_is_faster ? a->us : b->us;
  const Spread& slow = a_is_faster ? b->us : a->us;
  const double ratio = fast.median > 0.0 ? slow.median / fast.median : 1.0;
  if (a->measured && fast.high >= slow.low)
    return {Outcome::too_close, ratio,
            "too close to call: the two differ by less than their spread (p10 to p90); time a larger shape"};
  if (!a->measured && ratio < 1.0 + kModelError)
    return {Outcome::too_close, ratio,
            "too close to call: the two differ by less than the model's error; time it on a GPU"};
  return {a_is_faster ? Outcome::first : Outcome::second, ratio,
          (a_is_faster ? a_name : b_name) + " is " + ratio_text(ratio) + " as fast as " +
              (a_is_faster ? b_name : a_name)};
}

}  // namespace workbook::cli
