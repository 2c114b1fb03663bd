#include "model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "occupancy.h"

namespace workbook::sim {
namespace {

/// What the load/store units of one SM and the L2 have to do.
struct Traffic {
  double lsu_clocks = 0;
  double accesses =
      0;  ///< requests that a warp waits for a moment: to shared memory, and what the L1 answers
  double missed_sectors = 0;  ///< global loads: those that the L1 does not have
  double l2_bytes = 0;
  double atomics = 0;     ///< sectors over all global atomic requests
  double lanes_used = 1;  ///< of 32, on average
};

bool is_shared(const runs::SiteCounters& site) {
  return site.kind.rfind("shared", 0) == 0 || (site.kind == "atomic" && site.bank_passes > 0);
}

void add_shared(Traffic& t, const runs::SiteCounters& site, double wide, const ModelConstants& k) {
  const auto passes = static_cast<double>(site.bank_passes);
  t.accesses += static_cast<double>(site.requests);
  t.lsu_clocks +=
      passes * (site.kind == "atomic" ? k.shared_atomic_pass_clocks : wide * k.shared_pass_clocks);
}

void add_global(Traffic& t, const runs::SiteCounters& site, const ModelConstants& k) {
  const auto n = static_cast<double>(site.requests), sectors = static_cast<double>(site.sectors);
  // Records from before lines were counted: as few as the sectors allow.
  const double lines = site.lines > 0 ? static_cast<double>(site.lines) : std::max(n, sectors / 4);
  t.lsu_clocks += std::max(n * k.global_request_clocks + (lines - n) * k.further_line_clocks,
                           sectors / k.l1_sectors_per_clock);
  if (site.kind == "atomic") {
    t.atomics += sectors;
    t.accesses += n;
  } else if (site.kind == "global store") {
    t.accesses += n;  // nothing waits for what it stores
    const bool partial = static_cast<double>(site.bytes) < 0.99 * 32 * sectors;
    t.l2_bytes += sectors * (partial ? k.l2_partial_store_bytes : 32);
  } else {
    const double missed = sectors - static_cast<double>(site.l1_sectors);
    t.missed_sectors += missed;
    t.accesses += n - static_cast<double>(site.misses);
    t.l2_bytes += std::max(32 * missed, k.l2_line_bytes * lines * missed / std::max(1.0, sectors));
  }
}

Traffic traffic_of(const runs::LaunchCounters& counters, const ModelConstants& k) {
  Traffic t;
  double lane_accesses = 0, requests = 0;
  for (const auto& site : counters.sites) {
    const auto n = static_cast<double>(site.requests);
    if (n == 0) continue;
    // A float4 takes four turns.
    const double wide = std::max(1.0, static_cast<double>(site.bytes) / n / 128);
    if (is_shared(site))
      add_shared(t, site, wide, k);
    else
      add_global(t, site, k);
    requests += n;
    lane_accesses += static_cast<double>(site.bytes) / 4 / wide;
  }
  if (requests > 0) t.lanes_used = std::clamp(lane_accesses / requests / 32, 1.0 / 32, 1.0);
  return t;
}

/// The least that any tensor had written: where there are atomics, mostly what they count in.
double smallest_written(const runs::LaunchCounters& counters) {
  double bytes = 0.0;
  for (const auto& traffic : counters.traffic)
    if (const auto written = static_cast<double>(traffic.bytes_written); written > 0)
      bytes = bytes > 0 ? std::min(bytes, written) : written;
  return bytes;
}

double hypotenuse(double a, double b, double c = 0.0) { return std::sqrt(a * a + b * b + c * c); }

}  // namespace

double theoretical_occupancy(const GpuSpec& gpu, const runs::LaunchRecord& launch) {
  const BlockNeeds needs{launch.block.x * launch.block.y * launch.block.z,
                         static_cast<std::size_t>(launch.shared_bytes)};
  const unsigned warps = (needs.threads + 31) / 32;
  return blocks_per_sm(gpu, needs).blocks * warps * 32.0 / gpu.threads_per_sm;
}

double dram_bytes_written_by_its_end(const GpuSpec& gpu, const runs::LaunchCounters& counters,
                                     const ModelConstants& k) {
  double touched = 0.0;
  for (const auto& traffic : counters.traffic)
    touched += static_cast<double>(std::max(traffic.bytes_read, traffic.bytes_written));
  if (touched == 0.0) return 0.0;
  const double kept = std::min(1.0, gpu.l2_mb * 1e6 * k.l2_keeps / touched);
  return (1.0 - kept) * static_cast<double>(counters.dram_bytes_written);
}

runs::ModelledTime model_move(const GpuSpec& gpu, double bytes, const ModelConstants& k) {
  runs::ModelledTime t;
  t.gpu = gpu.name;
  t.launch_us = k.launch_us;
  t.dram_us = bytes / (gpu.dram_gbps * 1e3 * k.dram_efficiency);
  t.total_us = t.launch_us + t.dram_us;
  t.bound = t.dram_us > t.launch_us ? "DRAM" : "launch";
  return t;
}

runs::ModelledTime model_time(const GpuSpec& gpu, const runs::LaunchRecord& launch, const ModelConstants& k,
                              double l2_hit_bytes) {
  runs::ModelledTime t;
  t.gpu = gpu.name;
  t.launch_us = k.launch_us + k.first_touch_us;
  t.total_us = t.launch_us;
  t.bound = "launch";
  if (!launch.counters) return t;
  const runs::LaunchCounters& c = *launch.counters;
  const double clocks_per_us = gpu.clock_ghz * 1e3;
  const double blocks = std::max<double>(1, static_cast<double>(c.blocks_total));
  const BlockNeeds needs{launch.block.x * launch.block.y * launch.block.z,
                         static_cast<std::size_t>(launch.shared_bytes)};
  const double warps = std::ceil(needs.threads / 32.0);
  const Traffic traffic = traffic_of(c, k);
  const double resident = std::max(1, blocks_per_sm(gpu, needs).blocks);
  const double busy_sms = std::min<double>(gpu.sms, blocks);
  const double imbalance = std::ceil(blocks / gpu.sms) * busy_sms / blocks;

  t.sm_us = traffic.lsu_clocks / busy_sms * imbalance / clocks_per_us;
  t.l2_us = traffic.l2_bytes / (k.l2_bytes_per_clock * busy_sms) / clocks_per_us;
  const double fp32_per_us = gpu.fp32_tflops * 1e6 * busy_sms / gpu.sms * k.arithmetic_efficiency;
  t.arithmetic_us = c.flops / fp32_per_us / traffic.lanes_used * imbalance;

  // Waves of blocks. A few are whole: a grid one block larger than the GPU holds takes one turn more; later
  // on SMs drift apart. Where blocks follow one another in a slot, each pays for its start and its first
  // data.
  const double turns = blocks / (gpu.sms * resident);
  const double waves = turns < 4 ? std::ceil(turns) : turns;
  // What a miss takes depends on whether another block has brought the data into the L2 before.
  const double first_sectors = (static_cast<double>(c.dram_bytes_read) - l2_hit_bytes) / 32;
  const double from_dram = std::min(1.0, first_sectors / std::max(1.0, traffic.missed_sectors));
  const double miss_clocks = k.l2_latency_clocks + from_dram * (k.dram_latency_clocks - k.l2_latency_clocks);
  const double all_warps = blocks * warps;
  const double chain = (std::max(0.0, static_cast<double>(c.chained_misses) - all_warps) * miss_clocks +
                        traffic.accesses * k.access_clocks +
                        static_cast<double>(c.warp_operations) * k.warp_operation_clocks) /
                           all_warps +
                       static_cast<double>(c.barriers) / blocks * k.barrier_clocks;
  t.latency_us = waves * (chain + (waves > 1 ? k.block_clocks + miss_clocks : 0.0)) / clocks_per_us;

  // Data from DRAM overlaps only in part with blocks that are still to be dispatched or that wait: their
  // squares add up.
  t.dram_us = (static_cast<double>(c.dram_bytes_read + c.dram_bytes_written) - l2_hit_bytes) /
              (gpu.dram_gbps * 1e3 * k.dram_efficiency);
  t.dispatch_us = blocks * k.dispatch_clocks / clocks_per_us;
  const double memory_us = hypotenuse(t.dram_us, std::max(t.dispatch_us, t.latency_us));
  const char* memory_bound = t.dram_us >= std::max(t.dispatch_us, t.latency_us) ? "DRAM"
                             : t.dispatch_us > t.latency_us                     ? "dispatch"
                                                                                : "latency";

  // Atomics on few addresses queue at the few parts of the L2 that hold them.
  const double parts = std::clamp(smallest_written(c) / k.atomic_part_bytes, 1.0, k.atomic_parts);
  t.atomics_us = traffic.atomics * k.atomic_clocks / parts / clocks_per_us;

  const std::pair<double, const char*> roofs[] = {{memory_us, memory_bound},
                                                  {t.l2_us, "L2"},
                                                  {t.sm_us, "load/store"},
                                                  {t.arithmetic_us, "arithmetic"},
                                                  {t.atomics_us, "atomics"}};
  const auto worst = *std::max_element(std::begin(roofs), std::end(roofs));
  t.total_us = t.launch_us + worst.first;
  if (worst.first > t.launch_us) t.bound = worst.second;
  return t;
}

// Tensors in the order they were last touched, and what the L2 keeps of the latest of them. Those of one
// launch are touched together, so they stay or go together.
runs::ModelledTime LaunchSequence::next(const runs::LaunchRecord& launch) {
  double hits = 0.0;
  std::vector<Resident> touched;
  if (launch.counters) {
    const double kept = gpu_.l2_mb * 1e6 * constants_.l2_keeps;
    for (const auto& traffic : launch.counters->traffic) {
      double behind = 0.0;  // bytes touched since, this tensor's own included
      for (auto tensor = recent_.rbegin(); tensor != recent_.rend(); ++tensor) {
        behind += tensor->bytes;
        if (tensor->tensor != traffic.tensor) continue;
        if (behind <= kept) hits += std::min(static_cast<double>(traffic.bytes_read), tensor->bytes);
        break;
      }
      touched.push_back(
          {traffic.tensor, static_cast<double>(std::max(traffic.bytes_read, traffic.bytes_written))});
    }
  }
  for (const Resident& tensor : touched)
    std::erase_if(recent_, [&](const Resident& r) { return r.tensor == tensor.tensor; });
  recent_.insert(recent_.end(), touched.begin(), touched.end());
  return model_time(gpu_, launch, constants_, hits);
}

}  // namespace workbook::sim
