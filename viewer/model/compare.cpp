#include "model/compare.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "runs/metrics.h"

namespace workbook::viewer {
namespace {

// A difference of at most this share is neither good nor bad.
constexpr double kNothing = 0.01;

Timing modelled(double us) { return {Basis::modelled, us, us, us, 0}; }

Segment make_segment(const runs::LaunchRecord& launch, Basis basis) {
  Segment segment;
  segment.kernel = launch.kernel;
  segment.grid = launch.grid;
  segment.block = launch.block;
  segment.count = launch.count;
  if (basis == Basis::measured) {
    if (const auto timing = runs::timing_of(launch, ""); timing && timing->measured)
      segment.time = summarise(timing->cold ? launch.cold_us : launch.warm_us);
    segment.busy_us = segment.time.median_us;
  } else if (launch.modelled) {
    segment.time = modelled(launch.modelled->total_us);
    segment.gap_us = launch.modelled->launch_us;
    segment.busy_us = std::max(0.0, launch.modelled->total_us - launch.modelled->launch_us);
    segment.bound = launch.modelled->bound;
  }
  if (launch.counters) {
    segment.counted = true;
    segment.bytes_read = launch.counters->dram_bytes_read;
    segment.bytes_written = launch.counters->dram_bytes_written;
    segment.flops = launch.counters->flops;
    segment.tensor_flops = launch.counters->tensor_flops;
  }
  return segment;
}

// Measured launches are timed alone; what the whole graph takes beyond their sum is the gap between them.
void place(Side& side) {
  double busy = 0.0;
  for (const Segment& segment : side.segments) busy += segment.busy_us;
  if (side.basis == Basis::measured && side.total.median_us > busy)
    for (Segment& segment : side.segments)
      segment.gap_us = (side.total.median_us - busy) / static_cast<double>(side.segments.size());
  double now = 0.0;
  for (Segment& segment : side.segments) {
    segment.start_us = now;
    now = segment.end_us();
  }
  if (side.total.basis == Basis::none && side.basis != Basis::none) {
    side.total = modelled(now);
    side.total.basis = side.basis;
  }
}

void count_tensors(Side& side, const runs::Benchmark& benchmark) {
  for (const runs::TensorInfo& tensor : benchmark.tensors) {
    if (tensor.space != runs::TensorSpace::global) continue;
    TensorBytes total{tensor.name, tensor.role, 0, 0};
    Carried carried{tensor.name, tensor.shape, tensor.bytes, 0, 0, {}, {}};
    for (std::size_t launch = 0; launch < benchmark.launches.size(); ++launch) {
      if (!benchmark.launches[launch].counters) continue;
      for (const runs::TensorTraffic& traffic : benchmark.launches[launch].counters->traffic) {
        if (traffic.tensor != tensor.id) continue;
        total.bytes_read += traffic.bytes_read;
        total.bytes_written += traffic.bytes_written;
        if (traffic.bytes_written > 0) carried.writers.push_back(static_cast<int>(launch));
        if (traffic.bytes_read > 0) carried.readers.push_back(static_cast<int>(launch));
      }
    }
    carried.bytes_read = total.bytes_read;
    carried.bytes_written = total.bytes_written;
    if (total.bytes_read + total.bytes_written > 0) side.traffic.push_back(total);
    if (tensor.role == runs::TensorRole::intermediate) side.carried.push_back(carried);
  }
}

std::string saving(const Side& a, const Side& b) {
  const std::int64_t launches = a.launches() - b.launches();
  const std::int64_t tensors = a.contestant.between.count() - b.contestant.between.count();
  std::string text;
  if (launches > 0) text = "saves " + plural(launches, "launch");
  if (tensors > 0) text += (text.empty() ? "saves " : " and ") + plural(tensors, "intermediate tensor");
  if (launches < 0) text = "needs " + plural(-launches, "launch") + " more";
  if (a.counted && b.counted && a.bytes() != b.bytes()) {
    const std::int64_t less = a.bytes() - b.bytes();
    if (!text.empty()) text += ", and ";
    text += "moves " + format_bytes(std::abs(less)) + (less > 0 ? " less" : " more") + " through DRAM";
  }
  return text;
}

// Empty where one of the two is the faster.
std::string undecided(const Side& a, const Side& b) {
  const auto outcome = runs::duel(a.contestant, b.contestant).outcome;
  return outcome == runs::Duel::Outcome::too_close        ? "too close to call"
         : outcome == runs::Duel::Outcome::not_comparable ? "not comparable"
                                                          : "";
}

enum class Better { less, neither };

// With a real minus sign, which lines up with the plus.
std::string signed_text(const std::string& magnitude, double value) {
  return (value > 0 ? "+" : "−") + magnitude;
}

Row make_row(const std::string& label, double a, double b, Better better, std::string (*format)(double)) {
  Row row{label, format(a), format(b), "same", "1.0x", "", Tone::neutral, a, b};
  if (a == b) return row;
  row.magnitude = format(std::fabs(b - a));
  row.difference = signed_text(row.magnitude, b - a);
  row.ratio = a > 0.0 && b > 0.0 ? format_ratio(b / a) : "";
  const bool tells = std::fabs(b - a) > kNothing * std::max(std::fabs(a), std::fabs(b));
  if (better == Better::less && tells) row.tone = b < a ? Tone::good : Tone::bad;
  return row;
}

std::string as_count(double value) { return format_count(std::llround(value)); }
std::string as_bytes(double value) { return format_bytes(std::llround(value)); }

// The whole's time is the terminal's. Where only launches were timed, these say what kind of time there is.
void time_side(Side& side, const runs::RunRecord& run) {
  const runs::Benchmark& benchmark = side.benchmark;
  if (const auto& timing = side.contestant.timing) {
    side.basis = timing->measured ? Basis::measured : Basis::modelled;
    side.basis_text = timing->source();
    const std::size_t samples = !benchmark.graph_cold_us.empty()   ? benchmark.graph_cold_us.size()
                                : !benchmark.graph_warm_us.empty() ? benchmark.graph_warm_us.size()
                                                                   : benchmark.host_us.size();
    side.total = {side.basis, timing->us.median, timing->us.low, timing->us.high,
                  timing->measured ? static_cast<int>(samples) : 0};
    return;
  }
  for (const runs::LaunchRecord& launch : benchmark.launches)
    if (const auto timing = runs::timing_of(launch, run.device); timing && side.basis != Basis::measured) {
      side.basis = timing->measured ? Basis::measured : Basis::modelled;
      side.basis_text = timing->source();
    }
}

}  // namespace

std::string overhead_words(Basis basis) {
  return basis == Basis::measured ? "gap between launches" : "launch overhead";
}

Timing summarise(std::vector<double> samples_us) {
  if (samples_us.empty()) return {};
  const int count = static_cast<int>(samples_us.size());
  const runs::Spread spread = runs::spread_of(std::move(samples_us));
  return {Basis::measured, spread.median, spread.low, spread.high, count};
}

Side make_side(const runs::RunRecord& run, const std::string& benchmark_name) {
  Side side;
  side.run = run.id;
  side.variant = run.variant;
  side.origin = run.origin;
  side.device = run.device;
  const runs::Benchmark* found = runs::find_benchmark(run, benchmark_name);
  if (found == nullptr || found->launches.empty()) return side;
  const runs::Benchmark& benchmark = *found;
  side.present = true;
  side.sizes = benchmark.sizes;
  side.lists_tensors = !benchmark.tensors.empty();
  side.benchmark = benchmark;
  side.contestant = runs::contestant(run.variant, run, benchmark);
  time_side(side, run);
  for (const runs::LaunchRecord& launch : benchmark.launches) {
    side.segments.push_back(make_segment(launch, side.basis));
    side.flops += side.segments.back().flops;
    side.tensor_flops += side.segments.back().tensor_flops;
  }
  if (side.contestant.traffic) {
    side.counted = true;
    side.bytes_read = std::llround(side.contestant.traffic->read);
    side.bytes_written = std::llround(side.contestant.traffic->written);
  }
  place(side);
  count_tensors(side, benchmark);
  return side;
}

std::pair<std::string, std::string> names_apart(const Side& a, const Side& b) {
  if (a.variant != b.variant) return {a.variant, b.variant};
  if (a.origin != b.origin) return {a.origin + "'s " + a.variant, b.origin + "'s " + b.variant};
  if (a.basis != b.basis && a.basis != Basis::none && b.basis != Basis::none)
    return a.basis == Basis::measured ? std::pair<std::string, std::string>{"measured", "modelled"}
                                      : std::pair<std::string, std::string>{"modelled", "measured"};
  // As session/library.h tags them: what was imported has a number below zero.
  const auto tagged = [](const Side& side) {
    return side.variant +
           (side.run < 0 ? " import " + std::to_string(-side.run) : " #" + std::to_string(side.run));
  };
  return {tagged(a), tagged(b)};
}

Verdict judge(const Side& a, const Side& b) {
  const auto [name_a, name_b] = names_apart(a, b);
  if (!a.present || !b.present)
    return {capitalised(a.present ? name_b : name_a) + " was not timed at this shape", "", "", Tone::neutral};
  const std::string saved = saving(a, b);
  const std::string it = saved.empty() ? "" : "It " + saved + ".";
  if (a.basis == Basis::none || b.basis == Basis::none)
    return {capitalised(name_b) + " " + (saved.empty() ? "and " + name_a + " do the same" : saved),
            "No time on record.", "", Tone::neutral};
  runs::Contestant first = a.contestant, second = b.contestant;
  first.name = name_a;
  second.name = name_b;
  const runs::Duel result = runs::duel(first, second);
  using Outcome = runs::Duel::Outcome;
  if (result.outcome == Outcome::not_comparable) return {capitalised(result.reason), it, "", Tone::neutral};
  const auto gain = runs::gain_of(first, a.benchmark, second, b.benchmark);
  const std::string why = gain ? runs::why(*gain, {format_us, as_bytes, format_count}) : "";
  if (result.outcome == Outcome::too_close)
    return {capitalised(result.reason), capitalised(result.detail) + ".", why, Tone::neutral};
  const std::string headline = capitalised(runs::words_of(result, first, second));
  if (result.outcome == Outcome::second) return {headline, it, why, Tone::good};
  return {headline,
          saved.empty() ? "" : capitalised(name_b) + " " + saved + ": that is not enough at this shape.", why,
          Tone::bad};
}

std::vector<Row> difference_table(const Side& a, const Side& b) {
  const auto as_double = [](std::int64_t value) { return static_cast<double>(value); };
  std::vector<Row> rows;
  rows.push_back(
      make_row("Launches", as_double(a.launches()), as_double(b.launches()), Better::less, as_count));
  if (a.lists_tensors || b.lists_tensors)
    rows.push_back(make_row("Intermediate tensors", as_double(a.contestant.between.count()),
                            as_double(b.contestant.between.count()), Better::less, as_count));
  if (a.counted && b.counted) {
    rows.push_back(
        make_row("DRAM read", as_double(a.bytes_read), as_double(b.bytes_read), Better::less, as_bytes));
    rows.push_back(make_row("DRAM written", as_double(a.bytes_written), as_double(b.bytes_written),
                            Better::less, as_bytes));
    rows[rows.size() - 2].metric = runs::kDramRead;
    rows.back().metric = runs::kDramWritten;
    rows.push_back(
        make_row("DRAM together", as_double(a.bytes()), as_double(b.bytes()), Better::less, as_bytes));
    if (a.flops > 0.0 || b.flops > 0.0) {  // a program's are not counted
      rows.push_back(make_row("Flops", a.flops, b.flops, Better::neither, format_number));
      rows.push_back(
          make_row("Flops per byte", a.intensity(), b.intensity(), Better::neither, format_number));
    }
  }
  if (a.basis != Basis::none && a.basis == b.basis) {
    Row time = make_row("Time", a.total.median_us, b.total.median_us, Better::less, format_us);
    time.note = undecided(a, b);
    if (!time.note.empty()) time.tone = Tone::neutral;
    time.metric = runs::kTime;
    rows.push_back(time);
  } else if (a.basis != Basis::none && b.basis != Basis::none) {
    // One is modelled, the other measured: a difference would mix the two.
    rows.push_back({"Time", format_us(a.total.median_us), format_us(b.total.median_us), "–", "–",
                    std::string(runs::kTime), Tone::neutral, a.total.median_us, b.total.median_us, "",
                    "modelled against measured"});
  }
  return rows;
}

}  // namespace workbook::viewer
