#include "runs/timing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace workbook::runs {
namespace {

std::optional<Timing> measured(const std::vector<double>& samples, bool cold, const std::string& device) {
  if (samples.empty()) return std::nullopt;
  return Timing{true, cold, device, spread_of(samples)};
}

std::string ratio_words(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", ratio >= 99.95 ? 0 : ratio >= 9.995 ? 1 : 2, ratio);
  return std::string(text) + "x";
}

/// "12 %", "0.4 %".
std::string percent(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f %%", part < 0.0995 ? 1 : 0, 100.0 * part);
  return text;
}

/// "--a and --b differ by 4.2 %".
std::string difference_words(const Contestant& a, const Contestant& b, double ratio) {
  return a.name + " and " + b.name +
         (ratio < 1.0005 ? " take the same time to 0.1 %" : " differ by " + percent(ratio - 1.0));
}

/// What bounds the launches that take most of the time.
BoundBy bound_of(const Benchmark& benchmark) {
  std::map<BoundBy, double> by_bound;
  for (const LaunchRecord& launch : benchmark.launches)
    if (launch.modelled) by_bound[launch.modelled->bound] += launch.modelled->total_us;
  const auto most = std::max_element(by_bound.begin(), by_bound.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == by_bound.end() ? BoundBy::none : most->first;
}

/// Whether fewer bytes through DRAM would make the launch faster, as far as is known of one that is bound by
/// the launch itself.
bool waits_for_dram(const ModelledTime& time) {
  return time.bound == BoundBy::dram || time.bound == BoundBy::latency || time.bound == BoundBy::dispatch ||
         time.bound == BoundBy::launch;
}

/// " (both are bound by DRAM)"
std::string bounds_words(const Gain& gain) {
  const auto &from = gain.from, &to = gain.to;
  if (from.bound == BoundBy::none || to.bound == BoundBy::none) return "";
  const std::string bound = word_of(from.bound);
  if (from.bound == to.bound) return " (both are bound by " + bound + ")";
  return " (" + from.name + " is bound by " + bound + ", " + to.name + " by " + word_of(to.bound) + ")";
}

}  // namespace

Spread spread_of(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double part) {
    const double place = part * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, samples.size() - 1);
    return std::lerp(samples[below], samples[above], place - static_cast<double>(below));
  };
  return {at(0.1), at(0.5), at(0.9)};
}

std::string Timing::source() const {
  if (!measured) return "modelled (" + device + ")";
  return "measured on " + device + (cold ? ", cold" : ", warm");
}

std::optional<Timing> timing_of(const LaunchRecord& launch, const std::string& device) {
  if (const auto cold = measured(launch.cold_us, true, device)) return cold;
  if (const auto warm = measured(launch.warm_us, false, device)) return warm;
  if (!launch.modelled) return std::nullopt;
  const double us = launch.modelled->total_us;
  return Timing{false, false, launch.modelled->gpu, {us, us, us}};
}

std::optional<Timing> timing_of(const Benchmark& benchmark, const std::string& device) {
  if (const auto cold = measured(benchmark.graph_cold_us, true, device)) return cold;
  if (const auto warm = measured(benchmark.graph_warm_us, false, device)) return warm;
  if (const auto host = measured(benchmark.host_us, false, device)) return host;
  if (benchmark.modelled_total_us <= 0.0) return std::nullopt;
  const double us = benchmark.modelled_total_us;
  const bool named = !benchmark.launches.empty() && benchmark.launches.front().modelled;
  return Timing{false, false, named ? benchmark.launches.front().modelled->gpu : device, {us, us, us}};
}

Traffic traffic_of(const LaunchRecord& launch) {
  if (!launch.counters) return {};
  return {static_cast<double>(launch.counters->dram_bytes_read),
          static_cast<double>(launch.counters->dram_bytes_written)};
}

Traffic traffic_of(const Benchmark& benchmark) {
  Traffic sum;
  for (const LaunchRecord& launch : benchmark.launches) {
    const Traffic one = traffic_of(launch);
    sum.read += one.read;
    sum.written += one.written;
  }
  return sum;
}

std::int64_t launches_of(const Benchmark& benchmark) {
  std::int64_t sum = 0;
  for (const LaunchRecord& launch : benchmark.launches) sum += launch.count;
  return sum;
}

Intermediates intermediates_of(const Benchmark& benchmark) {
  Intermediates all;
  for (const TensorInfo& tensor : benchmark.tensors) {
    if (tensor.role != TensorRole::intermediate) continue;
    all.names.push_back(tensor.name);
    all.bytes += tensor.bytes;
  }
  return all;
}

const Benchmark* find_benchmark(const RunRecord& record, const std::string& name) {
  for (const Benchmark& benchmark : record.benchmarks)
    if (benchmark.name == name) return &benchmark;
  return nullptr;
}

Contestant contestant(const std::string& name, const RunRecord& record, const Benchmark& benchmark) {
  const bool counted = std::all_of(benchmark.launches.begin(), benchmark.launches.end(),
                                   [](const LaunchRecord& each) { return each.counters.has_value(); });
  return {name,
          timing_of(benchmark, record.device),
          benchmark.sizes,
          launches_of(benchmark),
          counted ? std::optional(traffic_of(benchmark)) : std::nullopt,
          intermediates_of(benchmark)};
}

Duel duel(const Contestant& first, const Contestant& second) {
  using Outcome = Duel::Outcome;
  const auto &a = first.timing, &b = second.timing;
  if (!a || !b) return {Outcome::not_comparable, 1.0, "one of them was not timed"};
  if (first.sizes != second.sizes)
    return {Outcome::not_comparable, 1.0, "not comparable: they were timed at different sizes"};
  if (a->measured != b->measured || a->device != b->device || a->cold != b->cold)
    return {Outcome::not_comparable, 1.0,
            "not comparable: one is " + a->source() + ", the other " + b->source()};
  const bool a_is_faster = a->us.median <= b->us.median;
  const Spread& fast = a_is_faster ? a->us : b->us;
  const Spread& slow = a_is_faster ? b->us : a->us;
  const double ratio = fast.median > 0.0 ? slow.median / fast.median : 1.0;
  if (a->measured && fast.high >= slow.low)
    return {Outcome::too_close, ratio, "too close to call: " + difference_words(first, second, ratio),
            "the times of one alone are spread wider than that. Time a larger shape"};
  if (!a->measured && ratio < 1.0 + kModelError)
    return {Outcome::too_close, ratio, "too close to call: " + difference_words(first, second, ratio),
            "a modelled time may be off by " + percent(kModelError) + ". A GPU can tell"};
  return {a_is_faster ? Outcome::first : Outcome::second, ratio, ""};
}

std::pair<const Contestant*, const Contestant*> as_named(const Duel& result, const Contestant& a,
                                                         const Contestant& b) {
  if (result.outcome == Duel::Outcome::second) return {&b, &a};
  return {&a, &b};
}

std::string words_of(const Duel& result, const Contestant& a, const Contestant& b) {
  if (!result.reason.empty()) return result.reason + (result.detail.empty() ? "" : ", and " + result.detail);
  const auto [fast, slow] = as_named(result, a, b);
  return fast->name + " is " + ratio_words(result.ratio) + " as fast as " + slow->name;
}

std::optional<Gain> gain_of(const Contestant& a, const Benchmark& from, const Contestant& b,
                            const Benchmark& to) {
  if (duel(a, b).outcome == Duel::Outcome::not_comparable) return std::nullopt;
  Gain gain;
  gain.us = a.timing->us.median - b.timing->us.median;
  gain.launches = a.launches - b.launches;
  if (a.traffic && b.traffic) gain.bytes = a.traffic->total() - b.traffic->total();
  gain.from = {a.name, bound_of(from)};
  gain.to = {b.name, bound_of(to)};
  for (const auto& [benchmark, sign] : {std::pair{&from, 1.0}, std::pair{&to, -1.0}})
    for (const LaunchRecord& launch : benchmark->launches) {
      if (!launch.modelled || !launch.counters) return std::nullopt;
      gain.launches_us += sign * launch.modelled->launch_us;
      if (waits_for_dram(*launch.modelled)) gain.bytes_us += sign * launch.modelled->dram_us;
    }
  const bool slower_first = gain.us >= 0.0;
  gain.differences =
      slower_first ? differences_of(from, to, gain.from.bound) : differences_of(to, from, gain.to.bound);
  // More of them do not save time, whatever hides the others' or whatever the L2 has of these.
  gain.bytes_us = gain.bytes > 0.0   ? std::max(gain.bytes_us, 0.0)
                  : gain.bytes < 0.0 ? std::min(gain.bytes_us, 0.0)
                                     : 0.0;
  return gain;
}

std::string why(const Gain& gain, const NumberWords& words) {
  // A part below a hundredth of what is explained is not worth a number.
  const double size = std::max(std::fabs(gain.us), std::fabs(gain.launches_us) + std::fabs(gain.bytes_us));
  const auto is_nothing = [&](double us) { return std::fabs(us) < 0.01 * size; };
  const auto part = [&](bool one, bool fewer, double us) {
    return std::string(fewer ? "save" : "cost") + (one ? "s " : " ") +
           (is_nothing(us) ? "next to nothing" : words.us(std::fabs(us)));
  };
  std::string text = "Of " + words.us(std::fabs(gain.us)) + (gain.us >= 0.0 ? " saved, " : " lost, ");
  std::string parts;
  if (gain.launches != 0)
    parts += words.count(std::abs(gain.launches)) + (std::abs(gain.launches) == 1 ? " launch" : " launches") +
             (gain.launches > 0 ? " fewer " : " more ") +
             part(std::abs(gain.launches) == 1, gain.launches > 0, gain.launches_us);
  if (gain.bytes != 0.0)
    parts += (parts.empty() ? "" : " and ") + words.bytes(std::fabs(gain.bytes)) +
             (gain.bytes > 0.0 ? " less" : " more") + " through DRAM " +
             part(false, gain.bytes > 0.0, gain.bytes_us);
  const double rest = gain.rest_us();
  const bool slower_first = gain.us >= 0.0;
  const std::string differences = words_of(gain.differences, slower_first ? gain.from.name : gain.to.name,
                                           slower_first ? gain.to.name : gain.from.name);
  const bool inside =
      !differences.empty() && rest * gain.us > 0.0 && 3 * std::fabs(rest) > std::fabs(gain.us);
  const std::string end = bounds_words(gain) + "." + (inside ? " " + differences + "." : "");
  if (inside && is_nothing(gain.launches_us) && is_nothing(gain.bytes_us))
    return text + "all lie inside the kernels: launches and DRAM traffic " +
           (parts.empty() ? "are the same" : "have next to no part") + end;
  if (parts.empty()) parts = "launches and DRAM traffic, which are the same, have no part";
  // Of a launch that DRAM bounds all but its bytes is what these do not cover.
  const bool waiting =
      gain.from.bound == BoundBy::dram && gain.to.bound == BoundBy::dram && !is_nothing(rest);
  const std::string all_else =
      waiting ? (rest > 0.0 ? "less" : "more") + std::string(" waiting beside the transfers ") : "all else ";
  return text + parts + "; " + all_else +
         (is_nothing(rest) ? "is next to nothing"
          : rest > 0.0     ? "saves " + words.us(rest)
                           : "costs " + words.us(-rest)) +
         end;
}

}  // namespace workbook::runs
