#include "model/request.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "model/format.h"

namespace workbook::viewer {
namespace {

bool is_shared(const AccessIndex& accesses, int tensor) {
  const runs::TensorInfo* info = accesses.tensor(tensor);
  return info != nullptr && info->space == runs::TensorSpace::shared;
}

bool belongs(const runs::TraceEvent& event, const AccessIndex& accesses, const Site& site) {
  return event.line == site.at.line && event.access == site.access &&
         (event.tensor == site.tensor ||
          (site.tensor < 0 && is_shared(accesses, event.tensor) == site.shared)) &&
         accesses.file(event.file) == site.at.file;
}

runs::Access access_of(runs::SiteKind kind) {
  switch (kind) {
    case runs::SiteKind::global_load:
    case runs::SiteKind::shared_load:
      return runs::Access::read;
    case runs::SiteKind::global_store:
    case runs::SiteKind::shared_store:
      return runs::Access::write;
    case runs::SiteKind::atomic:
      break;
  }
  return runs::Access::atomic;
}

using SiteKey = std::tuple<std::string, int, int, runs::Access>;
SiteKey key_of(const Site& site) { return {site.at.file, site.at.line, site.tensor, site.access}; }

// Counters come one an instruction: the compiler may have made several of a line.
void add_counters(std::map<SiteKey, Site>& sites, const AccessIndex& accesses,
                  const runs::LaunchCounters& counters) {
  for (const runs::SiteCounters& counted : counters.sites) {
    Site site;
    site.at = counted.at;
    site.tensor = counted.tensor;
    site.access = access_of(counted.kind);
    site.shared = runs::is_shared(counted.kind) || is_shared(accesses, counted.tensor);
    Site& sum = sites.try_emplace(key_of(site), site).first->second;
    sum.counted = true;
    sum.approximate = sum.approximate || counted.approximate;
    sum.requests += counted.requests;
    sum.sectors += counted.sectors;
    sum.ideal_sectors += counted.ideal_sectors;
    sum.bank_passes += counted.bank_passes;
    sum.bytes += counted.bytes;
  }
}

// Calls `visit` with each access of a launch, block by block.
template <class Visit>
void each_event(const AccessIndex& accesses, int launch, const Visit& visit) {
  for (const int block : accesses.blocks_traced(launch))
    for (const std::uint32_t number : accesses.events_of(launch, block)) visit(accesses.event(number));
}

void add_traced(std::map<SiteKey, Site>& sites, const AccessIndex& accesses, int launch) {
  std::set<std::tuple<int, int, int, runs::Access>> seen;
  each_event(accesses, launch, [&](const runs::TraceEvent& event) {
    if (!seen.insert({event.file, event.line, event.tensor, event.access}).second) return;
    Site site;
    site.at = {accesses.file(event.file), event.line};
    site.tensor = event.tensor;
    site.access = event.access;
    site.shared = is_shared(accesses, event.tensor);
    // One instruction that went to several tensors was counted without a name.
    const auto several = sites.find({site.at.file, site.at.line, -1, site.access});
    const bool nameless =
        several != sites.end() && several->second.shared == site.shared && !sites.contains(key_of(site));
    (nameless ? several->second : sites.try_emplace(key_of(site), site).first->second).traced = true;
  });
}

template <class Visit>
void each_byte_range(const Request& request, std::int64_t element_bytes, const Visit& visit) {
  for (int lane = 0; lane < kWarp; ++lane) {
    const Lane& at = request.lanes[static_cast<std::size_t>(lane)];
    if (at.active) visit(lane, at.element * element_bytes, (at.element + at.count) * element_bytes);
  }
}

std::string share_in_words(double share) {
  if (share > 0.995) return "all";
  for (const auto& [value, name] : {std::pair{0.75, "three quarters"}, {0.5, "half"}, {0.25, "a quarter"}})
    if (std::fabs(share - value) < 0.005) return name;
  if (share < 0.24) return "only " + std::to_string(std::max(1l, std::lround(share * 100))) + "%";
  return std::to_string(std::lround(share * 100)) + "%";
}

}  // namespace

double Site::waste() const {
  if (requests == 0) return 1.0;
  const std::int64_t least = shared ? requests : ideal_sectors;
  return static_cast<double>(shared ? bank_passes : sectors) /
         static_cast<double>(std::max<std::int64_t>(1, least));
}

double Site::per_request() const {
  return requests == 0 ? 0.0
                       : static_cast<double>(shared ? bank_passes : sectors) / static_cast<double>(requests);
}

std::string Site::kind() const {
  const char* what = access == runs::Access::read    ? " load"
                     : access == runs::Access::write ? " store"
                                                     : " atomic";
  return std::string(shared ? "shared" : "global") + what;
}

std::vector<Site> sites_of(const AccessIndex& accesses, int launch, const runs::LaunchCounters* counters) {
  std::map<SiteKey, Site> sites;
  if (counters != nullptr) add_counters(sites, accesses, *counters);
  add_traced(sites, accesses, launch);
  std::vector<Site> list;
  for (const auto& [key, site] : sites) list.push_back(site);
  const auto cost = [](const Site& site) { return site.shared ? site.bank_passes : site.sectors; };
  std::stable_sort(list.begin(), list.end(), [&](const Site& a, const Site& b) {
    if (std::fabs(a.waste() - b.waste()) > 0.01) return a.waste() > b.waste();
    return cost(a) > cost(b);
  });
  return list;
}

int Request::active() const {
  return static_cast<int>(
      std::count_if(lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.active; }));
}

std::vector<Request> requests_at(const AccessIndex& accesses, int launch, int block, int warp,
                                 const Site& site) {
  std::vector<Request> requests;
  std::array<std::size_t, kWarp> times{};
  for (const std::uint32_t event_number : accesses.events_of(launch, block)) {
    const runs::TraceEvent& event = accesses.event(event_number);
    if (event.thread / kWarp != warp || !belongs(event, accesses, site)) continue;
    const auto lane = static_cast<std::size_t>(event.thread % kWarp);
    const std::size_t number = times[lane]++;
    if (number == requests.size()) {
      requests.emplace_back().step = event.step;
      requests.back().tensor = event.tensor;
    }
    requests[number].lanes[lane] = {true, event.element, std::max<std::int64_t>(1, event.count)};
  }
  return requests;
}

std::vector<int> warps_at(const AccessIndex& accesses, int launch, int block, const Site& site) {
  std::set<int> warps;
  for (const std::uint32_t number : accesses.events_of(launch, block))
    if (const runs::TraceEvent& event = accesses.event(number); belongs(event, accesses, site))
      warps.insert(event.thread / kWarp);
  return {warps.begin(), warps.end()};
}

std::vector<int> blocks_at(const AccessIndex& accesses, int launch, const Site& site) {
  std::vector<int> blocks;
  for (const int block : accesses.blocks_traced(launch)) {
    const std::vector<std::uint32_t>& numbers = accesses.events_of(launch, block);
    if (std::any_of(numbers.begin(), numbers.end(),
                    [&](std::uint32_t number) { return belongs(accesses.event(number), accesses, site); }))
      blocks.push_back(block);
  }
  return blocks;
}

Fetch fetch_of(const Request& request, std::int64_t element_bytes) {
  std::map<std::int64_t, Sector> sectors;
  each_byte_range(request, element_bytes, [&](int lane, std::int64_t begin, std::int64_t end) {
    for (std::int64_t byte = begin; byte < end; ++byte) {
      Sector& sector = sectors[byte / kSectorBytes];
      sector.number = byte / kSectorBytes;
      sector.lanes |= 1u << lane;
      sector.used |= 1u << (byte % kSectorBytes);
    }
  });
  Fetch fetch;
  std::int64_t line = -1;
  for (const auto& [number, sector] : sectors) {
    fetch.sectors.push_back(sector);
    fetch.bytes_used += sector.bytes_used();
    const std::int64_t here = number / (kLineBytes / kSectorBytes);
    if (here != line) ++fetch.lines;
    line = here;
  }
  fetch.ideal = (fetch.bytes_used + kSectorBytes - 1) / kSectorBytes;
  return fetch;
}

Banks banks_of(const Request& request, std::int64_t element_bytes, bool atomic) {
  Banks banks;
  std::int64_t wide = 1;
  each_byte_range(request, element_bytes, [&](int lane, std::int64_t begin, std::int64_t end) {
    wide = std::max(wide, (end - begin) / 4);
    for (std::int64_t word = begin / 4; word * 4 < end; ++word) {
      auto& list = banks.words[static_cast<std::size_t>(word % kBanks)];
      const auto at =
          std::lower_bound(list.begin(), list.end(), word,
                           [](const BankWord& each, std::int64_t value) { return each.word < value; });
      if (!atomic && at != list.end() && at->word == word) {
        at->lanes |= 1u << lane;
        banks.broadcast = true;
      } else {
        list.insert(at, {word, 1u << lane});
      }
    }
  });
  std::size_t worst = 0;
  for (int bank = 0; bank < kBanks; ++bank)
    if (const std::size_t depth = banks.words[static_cast<std::size_t>(bank)].size(); depth > worst) {
      worst = depth;
      banks.worst_bank = bank;
    }
  banks.turns = static_cast<int>(wide);
  banks.passes = static_cast<int>((static_cast<std::int64_t>(worst) + wide - 1) / wide);
  return banks;
}

std::string describe(const Request& request, const Fetch& fetch, bool writes) {
  const auto count = static_cast<std::int64_t>(fetch.sectors.size());
  if (count == 0) return "Nothing is asked for";
  if (count == 1 && fetch.bytes_used < kSectorBytes / 2) {
    const std::string bytes = std::to_string(fetch.bytes_used) + " of its 32 bytes";
    if (request.active() == 1) return "1 sector for 1 lane, which uses " + bytes;
    return "1 sector for " + plural(request.active(), "lane") +
           (writes ? ", which write " : ", which share ") + bytes + (writes ? "" : ": a broadcast");
  }
  const double share = static_cast<double>(fetch.bytes_used) / static_cast<double>(fetch.bytes_fetched());
  const std::string used =
      share_in_words(share) + (writes ? " of their bytes are written" : " of what is fetched is used");
  if (count == fetch.ideal) return plural(count, "sector") + ", the fewest possible: " + used;
  return plural(count, "sector") + " where " + std::to_string(fetch.ideal) + " would do: " + used;
}

std::string describe(const Banks& banks, bool atomic) {
  if (banks.passes == 0) return "Nothing is asked for";
  // Lanes with 8 and 16 bytes go by halves and quarters of a warp.
  const std::string turns = banks.turns == 1 ? "" : " of " + std::to_string(banks.turns) + " turns";
  if (banks.passes > 1) {
    const auto depth = banks.words[static_cast<std::size_t>(banks.worst_bank)].size();
    const std::string who = atomic ? " lanes want bank " : " different words lie in bank ";
    return std::to_string(banks.passes) + " passes" + turns + " instead of 1: " + std::to_string(depth) +
           who + std::to_string(banks.worst_bank);
  }
  const std::string free_of_conflicts = "1 pass" + turns + ", no conflict: ";
  if (banks.broadcast) return free_of_conflicts + "lanes that want the same word get it together";
  return free_of_conflicts +
         (banks.turns == 1 ? "no two lanes meet in a bank" : "no two lanes of a turn meet in a bank");
}

std::int64_t element_bytes(const std::string& dtype) {
  const std::size_t digits = dtype.find_first_of("0123456789");
  const std::int64_t bits = digits == std::string::npos ? 32 : std::atoll(dtype.c_str() + digits);
  return bits >= 8 ? bits / 8 : 4;
}

}  // namespace workbook::viewer
