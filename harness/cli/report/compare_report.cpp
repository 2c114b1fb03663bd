#include "cli/report/compare_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/report/format.h"
#include "cli/report/found_report.h"
#include "cli/report/sweep_report.h"

namespace workbook::cli {
namespace {

using Outcome = runs::Duel::Outcome;

constexpr runs::NumberWords kWords = {time_text, bytes_text};

double median(const Side& side) { return side.contestant.timing ? side.contestant.timing->us.median : 0.0; }

/// "(2.1 to 2.4 us)": the noise of what was measured.
std::string noise_text(const Side& side) {
  const auto& timing = side.contestant.timing;
  if (!timing || !timing->measured) return "";
  return fmt::format("{} to {}", time_text(timing->us.low), time_text(timing->us.high));
}

/// How the time splits over the launches, where there are several.
std::string launches_text(const Side& side) {
  if (side.bench->launches.size() < 2) return "";
  std::vector<std::string> parts;
  for (const runs::LaunchRecord& launch : side.bench->launches)
    if (const auto timing = runs::timing_of(launch, side.run->device))
      parts.push_back(fmt::format("{} {}", launch.kernel, time_text(timing->us.median)));
  return fmt::format("  {}: {}\n", side.contestant.name, joined(parts, ", "));
}

/// One against the slower: the verdict, and why.
std::string pair_text(const Side& fast, const Side& slow) {
  const runs::Duel result = runs::duel(fast.contestant, slow.contestant);
  const Colour colour = result.outcome == Outcome::first ? Colour::good : Colour::warn;
  std::string out =
      "  " + paint(colour, runs::words_of(result, fast.contestant, slow.contestant) + ".") + '\n';
  if (result.outcome == Outcome::not_comparable || result.outcome == Outcome::too_close) return out;
  if (const auto gain = runs::gain_of(slow.contestant, *slow.bench, fast.contestant, *fast.bench))
    out += "    " + runs::why(*gain, kWords) + '\n';
  return out;
}

const char* outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::first:
      return "first";
    case Outcome::second:
      return "second";
    case Outcome::too_close:
      return "too_close";
    case Outcome::not_comparable:
      return "not_comparable";
  }
  return "";
}

runs::Json why_json(const runs::Gain& gain) {
  runs::Json json = {{"us", gain.us},       {"launches", gain.launches}, {"launches_us", gain.launches_us},
                     {"bytes", gain.bytes}, {"bytes_us", gain.bytes_us}, {"rest_us", gain.rest_us()}};
  json["differences"] = runs::Json::array();
  for (const runs::Difference& each : gain.differences)
    json["differences"].push_back({{"what", each.what}, {"slower", each.slow}, {"faster", each.fast}});
  return json;
}

runs::Json side_json(const Side& side) {
  const runs::Intermediates& between = side.contestant.between;
  const runs::Traffic traffic = side.contestant.traffic.value_or(runs::Traffic{});
  runs::Json json = {{"variant", side.run->variant},    {"run", side.run->id},
                     {"origin", side.run->origin},      {"launches", side.contestant.launches},
                     {"intermediates", between.names},  {"intermediate_bytes", between.bytes},
                     {"dram_bytes_read", traffic.read}, {"dram_bytes_written", traffic.written}};
  if (const auto& timing = side.contestant.timing)
    json["time_us"] = {{"median", timing->us.median},
                       {"p10", timing->us.low},
                       {"p90", timing->us.high},
                       {"source", timing->source()}};
  return json;
}

}  // namespace

std::string name_of(const runs::RunRecord& run, const std::vector<runs::RunRecord>& all) {
  if (run.origin == kFoundBySearch) return run.variant;
  const auto same = std::count_if(all.begin(), all.end(),
                                  [&](const runs::RunRecord& each) { return each.variant == run.variant; });
  return same > 1 ? "run " + std::to_string(run.id) : "--" + run.variant;
}

std::vector<Side> sides_of(const std::vector<runs::RunRecord>& runs, const std::string& name) {
  std::vector<Side> sides;
  for (const runs::RunRecord& run : runs)
    if (const runs::Benchmark* bench = runs::find_benchmark(run, name))
      if (sides.empty() || bench->sizes == sides.front().bench->sizes)
        sides.push_back({&run, bench, runs::contestant(name_of(run, runs), run, *bench)});
  std::stable_sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.contestant.timing && (!b.contestant.timing || median(a) < median(b));
  });
  return sides;
}

std::string shape_report(const std::vector<Side>& sides) {
  const runs::Benchmark& shape = *sides.front().bench;
  const auto& timing = sides.front().contestant.timing;
  std::string out =
      fmt::format("{} {}\n  {}\n", paint(Colour::bold, fmt::format("Shape {}:", shape.name)),
                  sizes_text(shape.sizes), paint(Colour::accent, timing ? timing->source() : "not timed"));
  Table table({"best first", "time", "", "launches", "between", "their bytes", "DRAM"});
  for (const Side& side : sides) {
    const runs::Intermediates& between = side.contestant.between;
    const double traffic = side.contestant.traffic.value_or(runs::Traffic{}).total();
    table.row({side.contestant.name, median(side) > 0.0 ? time_text(median(side)) : "-", noise_text(side),
               std::to_string(side.contestant.launches), std::to_string(between.count()),
               between.names.empty() ? "-" : bytes_text(static_cast<double>(between.bytes)),
               traffic > 0.0 ? bytes_text(traffic) : "-"});
  }
  out += table.text();
  for (const Side& side : sides) out += launches_text(side);
  out += '\n';
  for (std::size_t i = 1; i < sides.size(); ++i) out += pair_text(sides[i - 1], sides[i]);
  return fitted(out) + '\n';
}

runs::Json shape_json(const std::vector<Side>& sides) {
  runs::Json json = {{"name", sides.front().bench->name},
                     {"sizes", runs::Json::object()},
                     {"runs", runs::Json::array()},
                     {"verdicts", runs::Json::array()}};
  for (const auto& [dimension, size] : sides.front().bench->sizes) json["sizes"][dimension] = size;
  for (const Side& side : sides) json["runs"].push_back(side_json(side));
  for (std::size_t i = 1; i < sides.size(); ++i) {
    const Side &a = sides[i - 1], &b = sides[i];
    const runs::Duel result = runs::duel(a.contestant, b.contestant);
    runs::Json verdict = {{"a", a.contestant.name},
                          {"b", b.contestant.name},
                          {"outcome", outcome_name(result.outcome)},
                          {"ratio", result.ratio},
                          {"words", runs::words_of(result, a.contestant, b.contestant)}};
    if (const auto gain = runs::gain_of(b.contestant, *b.bench, a.contestant, *a.bench))
      verdict["why"] = why_json(*gain);
    json["verdicts"].push_back(verdict);
  }
  return json;
}

std::string crossings_report(const std::vector<Side>& sides, const std::optional<runs::Sweep>& sweep) {
  const runs::RunRecord& first = *sides.front().run;
  const std::string heading = paint(Colour::bold, "Where it stops:") + " ";
  if (!sweep)
    return heading + fmt::format("no sweep yet; `workbook sweep {}{}` finds where one overtakes another.\n",
                                 first.puzzle, runs::is_solution(first.origin) ? " --solution" : "");
  std::string out = heading + fmt::format("by sweep {} ({} kernels, {} {}{}{}):\n", sweep->id,
                                          runs::is_solution(sweep->origin) ? "the solution's" : "your",
                                          sweep->measured() ? "measured on" : "modelled for", sweep->device,
                                          sweep->complete ? "" : ", not complete",
                                          sweep->backend == first.backend ? "" : ", not these runs' device");
  const auto swept = [&](const Side& side) {
    return std::find(sweep->variants.begin(), sweep->variants.end(), side.run->variant) !=
           sweep->variants.end();
  };
  for (std::size_t i = 0; i < sides.size(); ++i)
    for (std::size_t k = i + 1; k < sides.size(); ++k)
      if (swept(sides[i]) && swept(sides[k]) && sides[i].run->variant != sides[k].run->variant)
        out += crossing_text(*sweep, sides[i].run->variant, sides[k].run->variant);
  return fitted(out);
}

}  // namespace workbook::cli
