#include "budget.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace workbook::core {
namespace {

/// Elements that threads asked for at the sites of these kinds.
double elements(const Workload& workload, const std::vector<runs::LaunchRecord>& launches,
                std::initializer_list<runs::SiteKind> kinds) {
  double count = 0.0;
  for (const runs::LaunchRecord& launch : launches)
    for (const runs::SiteCounters& site : launch.counters->sites) {
      if (std::find(kinds.begin(), kinds.end(), site.kind) == kinds.end()) continue;
      const auto tensors = static_cast<int>(workload.types.size());
      if (site.tensor >= tensors) continue;  // an atomic in shared memory
      const bool known = site.tensor >= 0;
      const std::size_t bytes = known ? size_of(workload.types[static_cast<std::size_t>(site.tensor)]) : 4;
      count += static_cast<double>(site.bytes) / static_cast<double>(bytes);
    }
  return count;
}

/// Sectors of a site that reach the L2.
std::int64_t from_l2(const runs::SiteCounters& site) {
  return runs::is_global(site.kind) ? site.sectors - site.l1_sectors : 0;
}

/// Whether the lanes at every line asked for hardly more sectors than their bytes fill: then what came from
/// the L2 too often came again.
bool comes_again(const std::vector<runs::LaunchRecord>& launches) {
  const auto spread = [](const runs::SiteCounters& site) {
    const double least =
        std::min(static_cast<double>(site.ideal_sectors), static_cast<double>(site.bytes) / 32.0);
    return runs::is_global(site.kind) && static_cast<double>(site.sectors) >= 1.3 * least;
  };
  return std::none_of(launches.begin(), launches.end(), [&](const runs::LaunchRecord& launch) {
    return std::any_of(launch.counters->sites.begin(), launch.counters->sites.end(), spread);
  });
}

std::int64_t all_sectors(const runs::SiteCounters& site) {
  return runs::is_global(site.kind) ? site.sectors : 0;
}

std::int64_t global_requests(const runs::SiteCounters& site) {
  return runs::is_global(site.kind) ? site.requests : 0;
}

/// "75 % are at line 26, 20 % at line 30": the three lines that cost most. Empty where nothing does.
template <class Price>
std::string dearest_lines(const std::vector<runs::LaunchRecord>& launches, Price price) {
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

std::string what_leaves_slots_empty(const std::vector<runs::LaunchRecord>& launches) {
  const auto worst = std::max_element(launches.begin(), launches.end(), [](const auto& a, const auto& b) {
    return a.empty_slots < b.empty_slots;
  });
  return "a multiprocessor has places for " + std::to_string(worst->empty_slots) +
         " warps more than the blocks that fit on it bring. How many fit is bound by " +
         worst->resident_limit +
         "; `--counters` shows what a block takes of each thing, and what the next one lacks.";
}

}  // namespace

std::vector<runs::Score> scores(const Budget& budget, const Workload& workload,
                                const std::vector<runs::LaunchRecord>& launches) {
  std::vector<runs::Score> all;
  if (launches.empty() || std::any_of(launches.begin(), launches.end(),
                                      [](const runs::LaunchRecord& launch) { return !launch.counters; }))
    return all;
  const auto add = [&](const char* name, const std::optional<Bound>& bound, double spent) {
    if (bound) all.push_back({name, spent, (*bound)(workload.dims)});
  };
  double kernels = 0.0, barriers = 0.0, conflicts = 0.0, sectors = 0.0, with_l1 = 0.0, asked = 0.0,
         requests = 0.0, waves = 0.0, threads = 0.0, waits = 0.0, warp_operations = 0.0, empty_slots = 0.0;
  for (const runs::LaunchRecord& launch : launches) {
    const runs::LaunchCounters& counters = *launch.counters;
    kernels += launch.kernel != "copy" && launch.kernel != "set";
    barriers += static_cast<double>(counters.barriers);
    conflicts += static_cast<double>(counters.shared_passes - counters.shared_requests);
    requests += static_cast<double>(counters.shared_requests);
    threads += static_cast<double>(counters.threads);
    waits += static_cast<double>(counters.chained_misses);
    warp_operations += static_cast<double>(counters.warp_operations);
    empty_slots = std::max(empty_slots, static_cast<double>(launch.empty_slots));
    for (const runs::SiteCounters& site : counters.sites) {
      sectors += static_cast<double>(from_l2(site));
      with_l1 += static_cast<double>(all_sectors(site));
      asked += static_cast<double>(global_requests(site));
    }
    if (launch.resident_blocks > 0)
      waves = std::max(waves, std::ceil(static_cast<double>(counters.blocks_total) /
                                        static_cast<double>(launch.resident_blocks)));
  }
  const double reads = elements(workload, launches, {runs::SiteKind::global_load});
  add("global reads", budget.global_reads, reads);
  add("global writes", budget.global_writes,
      elements(workload, launches, {runs::SiteKind::global_store, runs::SiteKind::atomic}));
  add("launches", budget.launches, kernels);
  add("barriers", budget.barriers, barriers);
  add("conflicts", budget.conflicts, conflicts);
  add("sectors", budget.sectors, sectors);
  add("sectors asked for", budget.sectors_asked, with_l1);
  add("global requests", budget.global_requests, asked);
  add("shared requests", budget.shared_requests, requests);
  add("waves", budget.waves, waves);
  add("reads a thread", budget.reads_a_thread, threads > 0.0 ? reads / threads : 0.0);
  add("threads", budget.threads, threads);
  add("waits for memory", budget.memory_waits, waits);
  add("warp operations", budget.warp_operations, warp_operations);
  add("empty slots", budget.empty_slots, empty_slots);
  return all;
}

std::string waste_of(const std::vector<runs::Score>& scores,
                     const std::vector<runs::LaunchRecord>& launches) {
  const auto over =
      std::find_if(scores.begin(), scores.end(), [](const runs::Score& s) { return !s.within(); });
  if (over == scores.end()) return {};
  if (over->name == "launches") return "more kernels are launched than it takes.";
  if (over->name == "barriers")
    return "a barrier is needed where a thread goes on to use what another has written since the last one, and nowhere "
           "else.";
  if (over->name == "waves")
    return "more blocks are launched than the GPU runs at the same time. That many are its multiprocessors times the "
           "blocks that fit on one.";
  if (over->name == "reads a thread")
    return "few threads do all the work, and the rest of the GPU waits: launch more blocks, as far as there is work "
           "for them.";
  if (over->name == "threads")
    return "more threads are launched than there is work for, and the rest begin only to end. Count the blocks of each "
           "direction by the block's own size in it, rounded up.";
  if (over->name == "waits for memory")
    return "warps wait for global memory more often than it takes. Loads that need nothing of each other can be under "
           "way together: let all of them stand before the first use and before the first store. A copy that is begun "
           "stages ahead is on its way meanwhile, if a wait leaves the latest ones under way.";
  if (over->name == "warp operations")
    return "shuffles, votes and matches are counted once a warp, and __syncwarp() as well. A result of all 32 lanes takes "
           "five rounds, if in each of them a lane hands on what the rounds before have brought.";
  if (over->name == "empty slots") return what_leaves_slots_empty(launches);
  const bool reads = over->name == "global reads", writes = over->name == "global writes";
  const bool with_l1 = over->name == "sectors asked for", sectors = with_l1 || over->name == "sectors";
  const bool requests = over->name == "shared requests";
  const bool asked = over->name == "global requests";
  const auto price = [&](const runs::SiteCounters& site) -> std::int64_t {
    if (reads) return site.kind == runs::SiteKind::global_load ? site.bytes : 0;
    if (writes)
      return site.kind == runs::SiteKind::global_store || site.kind == runs::SiteKind::atomic ? site.bytes
                                                                                              : 0;
    if (sectors) return with_l1 ? all_sectors(site) : from_l2(site);
    if (asked) return global_requests(site);
    if (requests) return runs::is_shared(site.kind) ? site.requests : 0;
    return site.bank_passes - site.requests;
  };
  const std::string lines = dearest_lines(launches, price);
  if (lines.empty()) return {};
  if (reads)
    return "of the reads " + lines +
           ". What is read too often need not be what is read most: what one thread needs again it can keep in a "
           "variable, what a block needs again in shared memory.";
  if (writes)
    return "of the writes " + lines + ". Keep the value in a variable and store it once, at the end.";
  if (sectors && !with_l1 && comes_again(launches))
    return "of the sectors " + lines +
           ". The lanes of a warp want neighbouring words: what is too much has come before, and was not in L1 any more, or "
           "never in this one. Let what is wanted again be wanted soon, and by the same block.";
  if (sectors)
    return "of the sectors " + lines +
           ". Where the lanes of a warp want neighbouring words, a sector of 32 bytes serves eight of them; where their "
           "words lie apart, each takes one of its own.";
  if (asked)
    return "of the requests to global memory " + lines +
           ". One request serves the 32 lanes of a warp: let all of them ask together, each for the neighbour of what "
           "the lane before it takes.";
  if (requests)
    return "of the accesses to shared memory " + lines +
           ". They take turns: let the threads of the block share them.";
  const bool of_atomics =
      std::any_of(launches.begin(), launches.end(), [&](const runs::LaunchRecord& launch) {
        return std::any_of(launch.counters->sites.begin(), launch.counters->sites.end(),
                           [&](const runs::SiteCounters& site) {
                             return site.kind == runs::SiteKind::atomic && price(site) > 0;
                           });
      });
  if (of_atomics)
    return "of the conflicts " + lines +
           ": lanes of a warp that update one word of shared memory, or words of one bank, take turns. Let a thread add up "
           "in a variable first, or the lanes of a warp among themselves.";
  return "of the conflicts " + lines +
         ": lanes of a warp ask for different words of one bank and take turns. Let neighbours take neighbouring words, "
         "or make the rows one element longer (of elements smaller than a word, one word).";
}

}  // namespace workbook::core
