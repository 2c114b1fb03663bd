#include "model/traffic.h"

#include <algorithm>

#include "model/format.h"
#include "model/request.h"

namespace workbook::viewer {
namespace {

std::string difference_in_words(std::int64_t a, std::int64_t b) {
  if (a == b) return "the same";
  return format_bytes(a > b ? a - b : b - a) + (b < a ? " less" : " more");
}

std::string ratio_of(std::int64_t a, std::int64_t b) {
  return a > 0 && b > 0 && a != b ? format_ratio(static_cast<double>(b) / static_cast<double>(a)) : "";
}

}  // namespace

Traffic traffic_of(const runs::RunRecord& run, const std::string& benchmark) {
  Traffic sum;
  for (const runs::Benchmark& each : run.benchmarks) {
    if (each.name != benchmark) continue;
    sum.counted = !each.launches.empty();
    for (const runs::LaunchRecord& launch : each.launches) {
      if (!launch.counters) {
        sum.counted = false;
        continue;
      }
      const runs::LaunchCounters& counters = *launch.counters;
      sum.sampled = sum.sampled || counters.blocks_sampled < counters.blocks_total;
      sum.dram_bytes += counters.dram_bytes_read + counters.dram_bytes_written;
      sum.l1_bytes += counters.l2_sectors * kSectorBytes;
      sum.l2_bytes += counters.l2_sectors * kSectorBytes;
      for (const runs::SiteCounters& site : counters.sites) {
        sum.l2_bytes -= site.l1_sectors * kSectorBytes;
        const bool shared = runs::is_shared(site.kind) || (site.bank_passes > 0 && site.sectors == 0);
        (shared ? sum.shared_bytes : sum.asked_bytes) += site.bytes;
      }
    }
  }
  return sum;
}

std::vector<Hop> hops_of(const Traffic& a, const Traffic& b) {
  std::vector<Hop> hops = {
      {"DRAM", "L2 cache", "each 32-byte sector once a launch", a.dram_bytes, b.dram_bytes, "", ""},
      {"L2 cache", "L1 cache", "sectors the L1 did not have, and stores", a.l2_bytes, b.l2_bytes, "", ""},
      {"L1 cache", "registers", "sectors of all requests of the warps", a.l1_bytes, b.l1_bytes, "", ""},
      {"registers", "shared", "bytes the threads asked for", a.shared_bytes, b.shared_bytes, "", ""}};
  for (Hop& hop : hops) {
    hop.difference = difference_in_words(hop.a, hop.b);
    hop.ratio = ratio_of(hop.a, hop.b);
  }
  return hops;
}

std::string headline(const Traffic& a, const Traffic& b) {
  if (!a.counted || !b.counted) return "";
  if (a.dram_bytes == b.dram_bytes) return "A and B move the same through DRAM";
  const std::string ratio = ratio_of(a.dram_bytes, b.dram_bytes);
  return "B moves " + difference_in_words(a.dram_bytes, b.dram_bytes) + " through DRAM" +
         (ratio.empty() ? "" : " (" + ratio + ")");
}

}  // namespace workbook::viewer
