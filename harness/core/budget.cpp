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

}  // namespace workbook::core
