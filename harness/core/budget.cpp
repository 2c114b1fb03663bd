#include "budget.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace workbook::core {
namespace {

using Launches = std::vector<runs::LaunchRecord>;

// What a site adds to the counts that lines can be blamed for.

std::int64_t bytes_read(const runs::SiteCounters& site) {
  return site.kind == runs::SiteKind::global_load ? site.bytes : 0;
}
std::int64_t bytes_written(const runs::SiteCounters& site) {
  return site.kind == runs::SiteKind::global_store || site.kind == runs::SiteKind::atomic ? site.bytes : 0;
}
std::int64_t sectors_from_l2(const runs::SiteCounters& site) {
  return runs::is_global(site.kind) ? site.sectors - site.l1_sectors : 0;
}
std::int64_t all_sectors(const runs::SiteCounters& site) {
  return runs::is_global(site.kind) ? site.sectors : 0;
}
std::int64_t global_requests(const runs::SiteCounters& site) {
  return runs::is_global(site.kind) ? site.requests : 0;
}
std::int64_t shared_requests(const runs::SiteCounters& site) {
  return runs::is_shared(site.kind) ? site.requests : 0;
}
std::int64_t passes_beyond_one(const runs::SiteCounters& site) { return site.bank_passes - site.requests; }

// What launches spent.

template <auto kOfLaunch>
double summed(const Workload&, const Launches& launches) {
  double sum = 0.0;
  for (const runs::LaunchRecord& launch : launches) sum += static_cast<double>(kOfLaunch(launch));
  return sum;
}

template <auto kOfLaunch>
double greatest(const Workload&, const Launches& launches) {
  double most = 0.0;
  for (const runs::LaunchRecord& launch : launches)
    most = std::max(most, static_cast<double>(kOfLaunch(launch)));
  return most;
}

template <auto kPrice>
double of_sites(const Workload& workload, const Launches& launches) {
  const auto of_launch = [](const runs::LaunchRecord& launch) {
    std::int64_t sum = 0;
    for (const runs::SiteCounters& site : launch.counters->sites) sum += kPrice(site);
    return sum;
  };
  return summed<of_launch>(workload, launches);
}

/// Elements that threads asked for: `kPrice` in bytes. Without an atomic in shared memory.
template <auto kPrice>
double elements(const Workload& workload, const Launches& launches) {
  double count = 0.0;
  for (const runs::LaunchRecord& launch : launches)
    for (const runs::SiteCounters& site : launch.counters->sites) {
      const auto tensors = static_cast<int>(workload.types.size());
      if (site.tensor >= tensors) continue;
      const bool known = site.tensor >= 0;
      const std::size_t bytes = known ? size_of(workload.types[static_cast<std::size_t>(site.tensor)]) : 4;
      count += static_cast<double>(kPrice(site)) / static_cast<double>(bytes);
    }
  return count;
}

double reads_a_thread(const Workload& workload, const Launches& launches) {
  const double threads =
      summed<[](const runs::LaunchRecord& launch) { return launch.counters->threads; }>(workload, launches);
  return threads > 0.0 ? elements<bytes_read>(workload, launches) / threads : 0.0;
}

double waves(const runs::LaunchRecord& launch) {
  if (launch.resident_blocks <= 0) return 0.0;
  return std::ceil(static_cast<double>(launch.counters->blocks_total) /
                   static_cast<double>(launch.resident_blocks));
}

// What is said to whoever spent too much.

/// Whether the lanes at every line asked for hardly more sectors than their bytes fill: then what came from
/// the L2 too often came again.
bool comes_again(const Launches& launches) {
  const auto spread = [](const runs::SiteCounters& site) {
    const double least =
        std::min(static_cast<double>(site.ideal_sectors), static_cast<double>(site.bytes) / 32.0);
    return runs::is_global(site.kind) && static_cast<double>(site.sectors) >= 1.3 * least;
  };
  return std::none_of(launches.begin(), launches.end(), [&](const runs::LaunchRecord& launch) {
    return std::any_of(launch.counters->sites.begin(), launch.counters->sites.end(), spread);
  });
}

std::string of_all_sectors(const Launches&, const std::string& lines) {
  return "of the sectors " + lines +
         ". Where the lanes of a warp want neighbouring words, a sector of 32 bytes serves eight of them; where their "
         "words lie apart, each takes one of its own.";
}

std::string of_sectors(const Launches& launches, const std::string& lines) {
  if (!comes_again(launches)) return of_all_sectors(launches, lines);
  return "of the sectors " + lines +
         ". The lanes of a warp want neighbouring words: what is too much has come before, and was not in L1 any more, or "
         "never in this one. Let what is wanted again be wanted soon, and by the same block.";
}

std::string of_conflicts(const Launches& launches, const std::string& lines) {
  const auto of_atomics = [](const runs::SiteCounters& site) {
    return site.kind == runs::SiteKind::atomic && passes_beyond_one(site) > 0;
  };
  for (const runs::LaunchRecord& launch : launches)
    if (std::any_of(launch.counters->sites.begin(), launch.counters->sites.end(), of_atomics))
      return "of the conflicts " + lines +
             ": lanes of a warp that update one word of shared memory, or words of one bank, take turns. Let a thread add "
             "up in a variable first, or the lanes of a warp among themselves.";
  return "of the conflicts " + lines +
         ": lanes of a warp ask for different words of one bank and take turns. Let neighbours take neighbouring words, "
         "or make the rows one element longer (of elements smaller than a word, one word).";
}

std::string what_leaves_slots_empty(const Launches& launches, const std::string&) {
  const auto worst = std::max_element(launches.begin(), launches.end(), [](const auto& a, const auto& b) {
    return a.empty_slots < b.empty_slots;
  });
  return "a multiprocessor has places for " + std::to_string(worst->empty_slots) +
         " warps more than the blocks that fit on it bring. How many fit is bound by " +
         worst->resident_limit +
         "; `--counters` shows what a block takes of each thing, and what the next one lacks.";
}

/// What one bound of a budget counts.
struct Cost {
  std::string_view name;
  std::optional<Bound> Budget::*bound;
  double (*spent)(const Workload& workload, const Launches& launches);
  std::string (*help)(const Launches& launches, const std::string& lines);
  /// What a site adds, where lines can be named that spent most.
  std::int64_t (*price)(const runs::SiteCounters& site) = nullptr;
};

constexpr Cost kCosts[] = {
    {"global reads", &Budget::global_reads, elements<bytes_read>,
     [](const Launches&, const std::string& lines) {
       return "of the reads " + lines +
              ". What is read too often need not be what is read most: what one thread needs again it can keep in a "
              "variable, what a block needs again in shared memory.";
     },
     bytes_read},
    {"global writes", &Budget::global_writes, elements<bytes_written>,
     [](const Launches&, const std::string& lines) {
       return "of the writes " + lines + ". Keep the value in a variable and store it once, at the end.";
     },
     bytes_written},
    {"launches", &Budget::launches, summed<[](const runs::LaunchRecord& launch) {
       return launch.kernel != "copy" && launch.kernel != "set";
     }>,
     [](const Launches&, const std::string&) -> std::string {
       return "more kernels are launched than it takes.";
     }},
    {"barriers", &Budget::barriers,
     summed<[](const runs::LaunchRecord& launch) { return launch.counters->barriers; }>,
     [](const Launches&, const std::string&) -> std::string {
       return "a barrier is needed where a thread goes on to use what another has written since the last one, and nowhere "
              "else.";
     }},
    {"conflicts", &Budget::conflicts, summed<[](const runs::LaunchRecord& launch) {
       return launch.counters->shared_passes - launch.counters->shared_requests;
     }>,
     of_conflicts, passes_beyond_one},
    {"sectors", &Budget::sectors, of_sites<sectors_from_l2>, of_sectors, sectors_from_l2},
    {"sectors asked for", &Budget::sectors_asked, of_sites<all_sectors>, of_all_sectors, all_sectors},
    {"global requests", &Budget::global_requests, of_sites<global_requests>,
     [](const Launches&, const std::string& lines) {
       return "of the requests to global memory " + lines +
              ". One request serves the 32 lanes of a warp: let all of them ask together, each for the neighbour of what "
              "the lane before it takes.";
     },
     global_requests},
    {"shared requests", &Budget::shared_requests,
     summed<[](const runs::LaunchRecord& launch) { return launch.counters->shared_requests; }>,
     [](const Launches&, const std::string& lines) {
       return "of the accesses to shared memory " + lines +
              ". They take turns: let the threads of the block share them.";
     },
     shared_requests},
    {"waves", &Budget::waves, greatest<waves>,
     [](const Launches&, const std::string&) -> std::string {
       return "more blocks are launched than the GPU runs at the same time. That many are its multiprocessors times the "
              "blocks that fit on one.";
     }},
    {"reads a thread", &Budget::reads_a_thread, reads_a_thread,
     [](const Launches&, const std::string&) -> std::string {
       return "few threads do all the work, and the rest of the GPU waits: launch more blocks, as far as there is work "
              "for them.";
     }},
    {"threads", &Budget::threads,
     summed<[](const runs::LaunchRecord& launch) { return launch.counters->threads; }>,
     [](const Launches&, const std::string&) -> std::string {
       return "more threads are launched than there is work for, and the rest begin only to end. Count the blocks of each "
              "direction by the block's own size in it, rounded up.";
     }},
    {"waits for memory", &Budget::memory_waits,
     summed<[](const runs::LaunchRecord& launch) { return launch.counters->chained_misses; }>,
     [](const Launches&, const std::string&) -> std::string {
       return "warps wait for global memory more often than it takes. Loads that need nothing of each other can be under "
              "way together: let all of them stand before the first use and before the first store. A copy that is begun "
              "stages ahead is on its way meanwhile, if a wait leaves the latest ones under way.";
     }},
    {"warp operations", &Budget::warp_operations,
     summed<[](const runs::LaunchRecord& launch) { return launch.counters->warp_operations; }>,
     [](const Launches&, const std::string&) -> std::string {
       return "shuffles, votes and matches are counted once a warp, and __syncwarp() as well. A result of all 32 lanes takes "
              "five rounds, if in each of them a lane hands on what the rounds before have brought.";
     }},
    {"empty slots", &Budget::empty_slots,
     greatest<[](const runs::LaunchRecord& launch) { return launch.empty_slots; }>, what_leaves_slots_empty},
};
static_assert(std::size(kCosts) * sizeof(std::optional<Bound>) == sizeof(Budget), "each bound is a cost");

/// "75 % are at line 26, 20 % at line 30": the three lines that cost most. Empty where nothing does.
std::string dearest_lines(const Launches& launches, std::int64_t (*price)(const runs::SiteCounters& site)) {
  struct Place {
    std::string name;
    std::int64_t cost;
  };
  std::vector<Place> places;
  std::int64_t all = 0;
  for (const runs::LaunchRecord& launch : launches)
    for (const runs::SiteCounters& site : launch.counters->sites) {
      const std::int64_t cost = price(site);
      if (cost <= 0) continue;
      all += cost;
      std::string name = "line " + std::to_string(site.at.line);
      if (const auto file = std::filesystem::path(site.at.file).filename(); file.extension() == ".cuh")
        name += " of " + file.string();
      const auto known =
          std::find_if(places.begin(), places.end(), [&](const Place& p) { return p.name == name; });
      if (known == places.end())
        places.push_back({name, cost});
      else
        known->cost += cost;
    }
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.cost > b.cost; });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(places.size(), 3); ++i) {
    const auto percent = (100 * places[i].cost + all / 2) / all;
    text +=
        (i == 0 ? "" : ", ") + std::to_string(percent) + (i == 0 ? " % are at " : " % at ") + places[i].name;
  }
  return text;
}

}  // namespace

std::vector<Bound> bounds_of(const Budget& budget) {
  std::vector<Bound> bounds;
  for (const Cost& cost : kCosts)
    if (budget.*cost.bound) bounds.push_back(*(budget.*cost.bound));
  return bounds;
}

std::vector<runs::Score> scores(const Budget& budget, const Workload& workload, const Launches& launches) {
  std::vector<runs::Score> all;
  if (launches.empty() || std::any_of(launches.begin(), launches.end(),
                                      [](const runs::LaunchRecord& launch) { return !launch.counters; }))
    return all;
  for (const Cost& cost : kCosts)
    if (const std::optional<Bound>& bound = budget.*cost.bound)
      all.push_back({std::string(cost.name), cost.spent(workload, launches), (*bound)(workload.dims)});
  return all;
}

std::string waste_of(const std::vector<runs::Score>& scores, const Launches& launches) {
  const auto over =
      std::find_if(scores.begin(), scores.end(), [](const runs::Score& s) { return !s.within(); });
  if (over == scores.end()) return {};
  const auto cost =
      std::find_if(std::begin(kCosts), std::end(kCosts), [&](const Cost& c) { return c.name == over->name; });
  if (cost->price == nullptr) return cost->help(launches, "");
  const std::string lines = dearest_lines(launches, cost->price);
  return lines.empty() ? "" : cost->help(launches, lines);
}

}  // namespace workbook::core
