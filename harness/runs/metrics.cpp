#include "runs/metrics.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>

#include "runs/bank_turns.h"

namespace workbook::runs {
namespace {

struct Sum {
  std::int64_t requests = 0, sectors = 0, in_l1 = 0, turns = 0, conflicts = 0;
};

Sum sum_of(const LaunchCounters& counters, std::initializer_list<SiteKind> kinds) {
  Sum sum;
  for (const SiteCounters& site : counters.sites) {
    if (std::find(kinds.begin(), kinds.end(), site.kind) == kinds.end()) continue;
    sum.requests += site.requests;
    sum.sectors += site.sectors;
    sum.in_l1 += site.l1_sectors;
    sum.turns += site.bank_passes * turns_a_pass(site);
    sum.conflicts += (site.bank_passes - site.requests) * turns_a_pass(site);
  }
  return sum;
}

std::int64_t warps_of(const LaunchRecord& launch) {
  const std::int64_t threads = std::int64_t{launch.block.x} * launch.block.y * launch.block.z;
  return launch.counters->blocks_total * ((threads + 31) / 32);
}

}  // namespace

std::vector<Metric> metrics_of(const LaunchRecord& launch) {
  std::vector<Metric> all;
  if (!launch.counters) return all;
  const LaunchCounters& c = *launch.counters;
  const auto add = [&](const char* words, std::string_view nvidia, double value, Metric::Unit unit) {
    all.push_back({words, std::string(nvidia), value, unit});
  };
  const auto count = [&](const char* words, std::string_view nvidia, std::int64_t value) {
    if (value > 0) add(words, nvidia, static_cast<double>(value), Metric::Unit::count);
  };
  const auto ratio = [&](const char* words, std::string_view nvidia, std::int64_t part, std::int64_t of) {
    if (of > 0) add(words, nvidia, static_cast<double>(part) / static_cast<double>(of), Metric::Unit::ratio);
  };
  add("read from DRAM", kDramRead, static_cast<double>(c.dram_bytes_read), Metric::Unit::bytes);
  add("written to DRAM", kDramWritten, static_cast<double>(c.dram_bytes_written), Metric::Unit::bytes);
  const Sum loads = sum_of(c, {SiteKind::global_load}), stores = sum_of(c, {SiteKind::global_store});
  const Sum shared = sum_of(c, {SiteKind::shared_load, SiteKind::shared_store});
  count("global load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", loads.requests);
  ratio("sectors a load request", kSectorsPerLoad, loads.sectors, loads.requests);
  if (loads.sectors > 0)
    add("load sectors found in L1", "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct",
        100.0 * static_cast<double>(loads.in_l1) / static_cast<double>(loads.sectors), Metric::Unit::percent);
  count("load sectors from the L2", "lts__t_sectors_srcunit_tex_op_read.sum", loads.sectors - loads.in_l1);
  count("global store requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", stores.requests);
  ratio("sectors a store request", kSectorsPerStore, stores.sectors, stores.requests);
  count("passes over shared memory", kSharedWavefronts, shared.turns);
  count("of them, for bank conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
        shared.conflicts);
  const std::int64_t warps = warps_of(launch);
  count("warps launched", "smsp__warps_launched.sum", warps);
  ratio("waits for memory a warp", "", c.chained_misses, c.chained_misses > 0 ? warps : 0);
  return all;
}

std::string value_text(const Metric& metric) {
  char text[40];
  const bool whole = metric.unit == Metric::Unit::count || metric.unit == Metric::Unit::bytes;
  std::snprintf(text, sizeof text,
                whole                                  ? "%.0f"
                : metric.unit == Metric::Unit::percent ? "%.1f %%"
                                                       : "%.2f",
                metric.value);
  return text;
}

}  // namespace workbook::runs
