// `compare N [A B]`: two runs side by side.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/project/errors.h"
#include "cli/report/format.h"
#include "cli/project/progress.h"
#include "cli/report/terminal.h"
#include "cli/run/timing.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

/// "fused", "--fused" or the number of a run.
runs::RunRecord chosen(const runs::Store& store, const Puzzle& puzzle, const std::string& word,
                       const std::string& backend) {
  if (!word.empty() && word.find_first_not_of("0123456789") == std::string::npos) {
    const std::int64_t id = word.size() < 18 ? std::stoll(word) : -1;
    if (!store.has(id))
      throw UsageError("There is no run " + word + " on record: `workbook history` lists them.");
    runs::RunRecord record = store.load(id);
    if (record.puzzle != puzzle.number)
      throw UsageError("Run " + word + " is of puzzle " + std::to_string(record.puzzle) + ".");
    return record;
  }
  const VariantInfo& variant = variant_of(puzzle, word);
  if (auto record = correct_run(store, puzzle, variant.name, backend)) return *std::move(record);
  throw UsageError(
      fmt::format("No correct run of --{} is on record{}. `workbook run {} --{}` makes one, `workbook "
                  "solution {} --{}` the solution's.",
                  variant.name, backend.empty() ? "" : " on " + backend, puzzle.number, variant.name,
                  puzzle.number, variant.name));
}

struct Side {
  std::string name;
  const runs::RunRecord* run;
  const runs::Benchmark* bench;
  std::optional<Timing> timing;
};

struct Intermediates {
  std::vector<std::string> names;
  std::int64_t bytes = 0;
};

Intermediates intermediates(const runs::Benchmark& bench) {
  Intermediates all;
  for (const runs::TensorInfo& tensor : bench.tensors) {
    if (tensor.role != "intermediate") continue;
    all.names.push_back(tensor.name);
    all.bytes += tensor.bytes;
  }
  return all;
}

std::string signed_share(double a, double b) {
  return a > 0.0 ? fmt::format("{:+.1f} %", 100.0 * (b / a - 1.0)) : "-";
}

std::string time_with_noise(const std::optional<Timing>& timing) {
  if (!timing) return "-";
  if (!timing->measured) return time_text(timing->us.median);
  return fmt::format("{} ({} to {})", time_text(timing->us.median), time_text(timing->us.low),
                     time_text(timing->us.high));
}

std::string totals(const Side& a, const Side& b) {
  const auto launches = [](const Side& s) { return static_cast<std::int64_t>(s.bench->launches.size()); };
  const Intermediates ia = intermediates(*a.bench), ib = intermediates(*b.bench);
  const Traffic ta = traffic_of(*a.bench), tb = traffic_of(*b.bench);
  const double us_a = a.timing ? a.timing->us.median : 0.0, us_b = b.timing ? b.timing->us.median : 0.0;
  Table table({"", a.name, b.name, "difference"});
  table.row({"launches", std::to_string(launches(a)), std::to_string(launches(b)),
             fmt::format("{:+d}", launches(b) - launches(a))});
  table.row({"intermediate tensors", std::to_string(ia.names.size()), std::to_string(ib.names.size()),
             fmt::format("{:+d}", static_cast<int>(ib.names.size()) - static_cast<int>(ia.names.size()))});
  table.row({"  their bytes", bytes_text(static_cast<double>(ia.bytes)),
             bytes_text(static_cast<double>(ib.bytes)),
             signed_share(static_cast<double>(ia.bytes), static_cast<double>(ib.bytes))});
  table.row({"DRAM read", bytes_text(ta.read), bytes_text(tb.read), signed_share(ta.read, tb.read)});
  table.row(
      {"DRAM written", bytes_text(ta.written), bytes_text(tb.written), signed_share(ta.written, tb.written)});
  table.row({"time", time_with_noise(a.timing), time_with_noise(b.timing), signed_share(us_a, us_b)});
  return table.text();
}

std::string kernels(const Side& side) {
  const Intermediates between = intermediates(*side.bench);
  std::string out = fmt::format("  {}, {}\n", paint(Colour::bold, side.name),
                                side.timing ? side.timing->source() : "not timed");
  Table table({"kernel", "time", "share", "bound by", "DRAM"});
  table.left(3);
  double sum = 0.0;
  for (const runs::LaunchRecord& launch : side.bench->launches)
    if (const auto timing = timing_of(launch, side.run->device)) sum += timing->us.median;
  for (const runs::LaunchRecord& launch : side.bench->launches) {
    const auto timing = timing_of(launch, side.run->device);
    table.row({launch.kernel, time_with_noise(timing),
               timing && sum > 0 ? fmt::format("{:.0f} %", 100.0 * timing->us.median / sum) : "-",
               launch.modelled ? launch.modelled->bound : "-",
               launch.counters ? bytes_text(traffic_of(launch).total()) : "-"});
  }
  out += table.text("    ");
  std::string names;
  for (const std::string& name : between.names) names += (names.empty() ? "" : ", ") + name;
  if (!names.empty()) out += paint(Colour::dim, fmt::format("    through memory between them: {}\n", names));
  return out;
}

runs::Json side_json(const Side& side) {
  const Intermediates between = intermediates(*side.bench);
  const Traffic traffic = traffic_of(*side.bench);
  runs::Json json = {{"variant", side.run->variant},    {"run", side.run->id},
                     {"origin", side.run->origin},      {"launches", side.bench->launches.size()},
                     {"intermediates", between.names},  {"intermediate_bytes", between.bytes},
                     {"dram_bytes_read", traffic.read}, {"dram_bytes_written", traffic.written}};
  if (side.timing)
    json["time_us"] = {{"median", side.timing->us.median},
                       {"p10", side.timing->us.low},
                       {"p90", side.timing->us.high},
                       {"source", side.timing->source()}};
  return json;
}

const char* outcome_name(Duel::Outcome outcome) {
  switch (outcome) {
    case Duel::Outcome::first:
      return "first";
    case Duel::Outcome::second:
      return "second";
    case Duel::Outcome::too_close:
      return "too_close";
    case Duel::Outcome::not_comparable:
      return "not_comparable";
  }
  return "";
}

std::pair<std::string, std::string> default_pair(const Puzzle& puzzle) {
  const auto names = puzzle.variant_names();
  if (names.size() < 2)
    throw UsageError(
        fmt::format("Puzzle {:02} has one variant, --{}. To compare two runs of it: `workbook compare {} RUN "
                    "RUN` (`workbook history {}`).",
                    puzzle.number, names[0], puzzle.number, puzzle.number));
  return {names[0], names[1]};
}

}  // namespace

int compare_command(const Project& project, const std::string& word, const std::vector<std::string>& words,
                    const std::string& backend, bool json) {
  const Puzzle& puzzle = word.empty() ? project.current() : project.puzzle(word);
  if (!words.empty() && words.size() != 2)
    throw UsageError(
        "compare wants two variants or runs, or none: `workbook compare 22 unfused fused-block`.");
  const auto [first, second] = words.empty() ? default_pair(puzzle) : std::pair(words[0], words[1]);
  variant_of(puzzle, first.find_first_not_of("0123456789") == std::string::npos ? puzzle.first_variant().name
                                                                                : first);
  const auto store = records(project);
  if (!store)
    throw UsageError(fmt::format("Nothing is on record yet. `workbook run {} --{}` makes a first run.",
                                 puzzle.number, puzzle.first_variant().name));
  const runs::RunRecord a = chosen(*store, puzzle, first, backend);
  const runs::RunRecord b = chosen(*store, puzzle, second, backend.empty() ? a.backend : backend);
  const bool same_variant = a.variant == b.variant;
  const auto name = [&](const runs::RunRecord& r) {
    return same_variant ? "run " + std::to_string(r.id) : "--" + r.variant;
  };
  const auto whose = [](const runs::RunRecord& r) {
    return r.origin == "learner" ? "yours" : r.origin == "solution" ? "the solution's" : r.origin;
  };

  runs::Json shapes = runs::Json::array();
  std::string out = fmt::format(
      "{}\n  {}: run {}, {}, {}\n  {}: run {}, {}, {}\n\n",
      paint(Colour::bold, fmt::format("Puzzle {:02}: {}", puzzle.number, puzzle.declaration.title)), name(a),
      a.id, whose(a), ago_text(a.started_at), name(b), b.id, whose(b), ago_text(b.started_at));
  for (const runs::Benchmark& bench : a.benchmarks) {
    const runs::Benchmark* other = find_benchmark(b, bench.name);
    if (!other || other->sizes != bench.sizes) continue;
    const Side left{name(a), &a, &bench, timing_of(bench, a.device)},
        right{name(b), &b, other, timing_of(*other, b.device)};
    const Duel result = duel(left.name, left.timing, right.name, right.timing);
    out += fmt::format(
        "{} {}\n", paint(Colour::bold, fmt::format("{} shape:", bench.name == "real" ? "Real" : "Teaching")),
        sizes_text(bench.sizes));
    out += totals(left, right) + '\n' + kernels(left) + kernels(right);
    out += fmt::format("  {} {}\n\n", paint(Colour::bold, "Verdict:"),
                       paint(result.outcome == Duel::Outcome::not_comparable ? Colour::warn : Colour::good,
                             result.words + "."));
    runs::Json sizes = runs::Json::object();
    for (const auto& [dimension, size] : bench.sizes) sizes[dimension] = size;
    shapes.push_back(
        {{"name", bench.name},
         {"sizes", sizes},
         {"a", side_json(left)},
         {"b", side_json(right)},
         {"verdict",
          {{"outcome", outcome_name(result.outcome)}, {"ratio", result.ratio}, {"words", result.words}}}});
  }
  if (shapes.empty())
    throw UsageError(
        fmt::format("Runs {} and {} have no shape in common that both timed: run both again.", a.id, b.id));
  print(json ? runs::dump({{"puzzle", puzzle.number}, {"shapes", shapes}}, 1) + '\n' : out);
  return kCorrect;
}

}  // namespace workbook::cli
