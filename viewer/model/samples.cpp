#include "model/samples.h"

#include <algorithm>
#include <cmath>

namespace workbook::viewer {
namespace {

constexpr double kLogarithmicFrom = 4.0;  // high / low

void add_series(SampleSet& set, bool is_b, bool cold, std::vector<double> us) {
  if (us.empty()) return;
  std::sort(us.begin(), us.end());
  set.series.push_back({is_b, cold, summarise(us), us, {}});
}

void add_run(SampleSet& set, const runs::RunRecord* run, bool is_b, const std::string& name) {
  if (run == nullptr) return;
  for (const runs::Benchmark& benchmark : run->benchmarks) {
    if (benchmark.name != name) continue;
    // Where the whole was not timed, the one launch there is is the whole.
    const bool alone = benchmark.launches.size() == 1;
    const bool graph = !benchmark.graph_warm_us.empty() || !benchmark.graph_cold_us.empty();
    add_series(set, is_b, false, graph || !alone ? benchmark.graph_warm_us : benchmark.launches[0].warm_us);
    add_series(set, is_b, true, graph || !alone ? benchmark.graph_cold_us : benchmark.launches[0].cold_us);
  }
}

}  // namespace

double SampleSet::place(double us) const {
  if (!(high_us > low_us)) return 0.5;
  if (logarithmic) return std::log(us / low_us) / std::log(high_us / low_us);
  return (us - low_us) / (high_us - low_us);
}

SampleSet make_samples(const runs::RunRecord* a, const runs::RunRecord* b, const std::string& benchmark) {
  SampleSet set;
  add_run(set, a, false, benchmark);
  add_run(set, b, true, benchmark);
  if (set.series.empty()) return set;
  set.low_us = 1e300;
  for (const SampleSeries& series : set.series) {
    set.low_us = std::min(set.low_us, series.us.front());
    set.high_us = std::max(set.high_us, series.us.back());
  }
  set.logarithmic = set.low_us > 0.0 && set.high_us > kLogarithmicFrom * set.low_us;
  for (SampleSeries& series : set.series) {
    series.counts.assign(kSampleBins, 0);
    for (const double us : series.us) {
      const auto bin = static_cast<int>(set.place(us) * kSampleBins);
      const int count = ++series.counts[static_cast<std::size_t>(std::clamp(bin, 0, kSampleBins - 1))];
      set.most = std::max(set.most, count);
    }
  }
  return set;
}

}  // namespace workbook::viewer
