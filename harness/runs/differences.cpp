#include "runs/differences.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>

namespace workbook::runs {
namespace {

/// Sums over all launches of a variant.
struct Sums {
  double warps = 0, blocks = 0, barriers = 0, atomics = 0, waits = 0;
  double loads = 0, load_sectors = 0, stores = 0, store_sectors = 0;
  double shared = 0, passes = 0;
  double at_a_time = 0, us = 0;  ///< warps that the GPU holds, by how long it does
};

/// Of a launch's warps, as many as there are places for.
double warps_at_a_time(const LaunchRecord& launch) {
  const double warps =
      std::ceil(static_cast<double>(launch.block.x) * launch.block.y * launch.block.z / 32.0);
  return warps * static_cast<double>(std::min(launch.resident_blocks, launch.counters->blocks_total));
}

Sums sums_of(const Benchmark& benchmark) {
  Sums sums;
  for (const LaunchRecord& launch : benchmark.launches) {
    if (!launch.counters) continue;
    const LaunchCounters& c = *launch.counters;
    const auto add = [](double& sum, std::int64_t value) { sum += static_cast<double>(value); };
    sums.warps += static_cast<double>(c.threads) / 32.0;
    if (launch.modelled && launch.resident_blocks > 0) {
      sums.us += launch.modelled->total_us;
      sums.at_a_time += launch.modelled->total_us * warps_at_a_time(launch);
    }
    add(sums.blocks, c.blocks_total);
    add(sums.barriers, c.barriers);
    add(sums.atomics, c.atomics);
    add(sums.waits, c.chained_misses);
    add(sums.shared, c.shared_requests);
    add(sums.passes, c.shared_passes);
    for (const SiteCounters& site : c.sites) {
      if (site.kind == SiteKind::global_load)
        add(sums.loads, site.requests), add(sums.load_sectors, site.sectors);
      if (site.kind == SiteKind::global_store)
        add(sums.stores, site.requests), add(sums.store_sectors, site.sectors);
    }
  }
  return sums;
}

struct Fact {
  const char* what;
  double (*value)(const Sums&);
  bool total;
  std::initializer_list<BoundBy> bounds;  ///< which wait for it
  bool fewer = false;                     ///< as in Difference
};

double ratio(double part, double of) { return of > 0.0 ? part / of : 0.0; }

constexpr Fact kFacts[] = {
    {"sectors a load request",
     [](const Sums& s) { return ratio(s.load_sectors, s.loads); },
     false,
     {BoundBy::l2, BoundBy::load_store, BoundBy::latency, BoundBy::launch}},
    {"sectors a store request",
     [](const Sums& s) { return ratio(s.store_sectors, s.stores); },
     false,
     {BoundBy::l2, BoundBy::load_store, BoundBy::launch}},
    {"passes a request to shared memory",
     [](const Sums& s) { return ratio(s.passes, s.shared); },
     false,
     {BoundBy::load_store, BoundBy::latency}},
    {"waits for data in each warp",
     [](const Sums& s) { return ratio(s.waits, s.warps); },
     false,
     {BoundBy::latency}},
    {"load requests",
     [](const Sums& s) { return s.loads; },
     true,
     {BoundBy::l2, BoundBy::load_store, BoundBy::latency}},
    {"store requests",
     [](const Sums& s) { return s.stores; },
     true,
     {BoundBy::l2, BoundBy::load_store, BoundBy::latency}},
    {"passes over shared memory", [](const Sums& s) { return s.passes; }, true, {BoundBy::load_store}},
    {"barriers", [](const Sums& s) { return s.barriers; }, true, {BoundBy::latency}},
    {"atomics", [](const Sums& s) { return s.atomics; }, true, {BoundBy::atomics}},
    {"warps at a time",
     [](const Sums& s) { return ratio(s.at_a_time, s.us); },
     false,
     {BoundBy::latency, BoundBy::dram, BoundBy::l2},
     true},
    {"blocks", [](const Sums& s) { return s.blocks; }, true, {BoundBy::dispatch, BoundBy::latency}}};

constexpr double kTold = 1.2;
constexpr std::size_t kMost = 3;

bool waits_for(const Fact& fact, BoundBy bound) {
  return std::find(fact.bounds.begin(), fact.bounds.end(), bound) != fact.bounds.end();
}

double factor(const Difference& difference) {
  if (difference.fewer) return ratio(difference.fast, difference.slow);
  return difference.fast > 0.0 ? difference.slow / difference.fast : 1e30;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", value >= 99.95 || value == std::int64_t(value) ? 0 : 1, value);
  return text;
}

std::string words(const Difference& difference, const std::string& fast) {
  if (difference.fast <= 0.0) return difference.what + ", of which " + fast + " has none";
  if (difference.total) return number(factor(difference)) + "x as many " + difference.what;
  return (difference.fewer ? "only " : "") + number(difference.slow) + ' ' + difference.what + " where " +
         fast + " has " + number(difference.fast);
}

}  // namespace

std::vector<Difference> differences_of(const Benchmark& slow, const Benchmark& fast, BoundBy bound) {
  const Sums of_slow = sums_of(slow), of_fast = sums_of(fast);
  std::vector<Difference> all;
  for (const Fact& fact : kFacts) {
    const Difference difference{fact.what, fact.value(of_slow), fact.value(of_fast), fact.total, fact.fewer};
    const bool both = difference.slow > 0.0 && (fact.total || difference.fast > 0.0);
    if (waits_for(fact, bound) && both && factor(difference) >= kTold) all.push_back(difference);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Difference& a, const Difference& b) { return factor(a) > factor(b); });
  if (all.size() > kMost) all.resize(kMost);
  return all;
}

std::string words_of(const std::vector<Difference>& differences, const std::string& slow,
                     const std::string& fast) {
  if (differences.empty()) return "";
  std::string text = slow + " has ";
  for (std::size_t i = 0; i < differences.size(); ++i)
    text += (i == 0 ? "" : "; ") + words(differences[i], fast);
  return text;
}

}  // namespace workbook::runs
