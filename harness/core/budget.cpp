#include "budget.h"

#include <algorithm>

namespace workbook::core {
namespace {

/// Elements that threads asked for at the sites of these kinds.
double elements(const Workload& workload, const std::vector<runs::LaunchRecord>& launches,
                std::initializer_list<std::string_view> kinds) {
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
  double kernels = 0.0, barriers = 0.0, conflicts = 0.0;
  for (const runs::LaunchRecord& launch : launches) {
    kernels += launch.kernel != "copy" && launch.kernel != "set";
    barriers += static_cast<double>(launch.counters->barriers);
    conflicts += static_cast<double>(launch.counters->shared_passes - launch.counters->shared_requests);
  }
  add("global reads", budget.global_reads, elements(workload, launches, {"global load"}));
  add("global writes", budget.global_writes, elements(workload, launches, {"global store", "atomic"}));
  add("launches", budget.launches, kernels);
  add("barriers", budget.barriers, barriers);
  add("conflicts", budget.conflicts, conflicts);
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
  const bool reads = over->name == "global reads", writes = over->name == "global writes";
  const runs::SiteCounters* most = nullptr;
  const auto price = [&](const runs::SiteCounters& site) -> std::int64_t {
    if (reads) return site.kind == "global load" ? site.bytes : 0;
    if (writes) return site.kind == "global store" || site.kind == "atomic" ? site.bytes : 0;
    return site.bank_passes - site.requests;
  };
  for (const runs::LaunchRecord& launch : launches)
    for (const runs::SiteCounters& site : launch.counters->sites)
      if (price(site) > 0 && (most == nullptr || price(site) > price(*most))) most = &site;
  if (most == nullptr) return {};
  const std::string line = "line " + std::to_string(most->at.line);
  if (reads)
    return "most of the reads are at " + line +
           ". What one thread needs again it can keep in a variable, what a block needs again in shared memory: then it "
           "is read once.";
  if (writes)
    return "most of the writes are at " + line +
           ". Keep the value in a variable and store it once, at the end.";
  return "most of the conflicts are at " + line +
         ": lanes of a warp ask for different words of one bank and take turns. Let neighbours take neighbouring words, "
         "or pad the rows by one.";
}

}  // namespace workbook::core
