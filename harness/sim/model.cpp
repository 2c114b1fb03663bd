#include "model.h"

#include <algorithm>
#include <cmath>

#include "occupancy.h"

namespace workbook::sim {
namespace {

/// What the load/store units of one SM and the L2 have to do.
struct Traffic {
  double lsu_clocks = 0;
  double requests = 0;
  double l2_bytes = 0;
  double lanes_used = 1;  ///< of 32, on average
};

Traffic traffic_of(const runs::LaunchCounters& counters, const ModelConstants& k) {
  Traffic t;
  double lane_accesses = 0;
  for (const auto& site : counters.sites) {
    const auto n = static_cast<double>(site.requests);
    if (n == 0) continue;
    const bool shared = site.kind.rfind("shared", 0) == 0;
    const double wide =
        std::max(1.0, static_cast<double>(site.bytes) / n / 128);  // a float4 takes four turns
    t.lsu_clocks += shared ? static_cast<double>(site.bank_passes) * wide * k.shared_pass_clocks
                           : std::max(n * k.global_request_clocks,
                                      static_cast<double>(site.sectors) / k.l1_sectors_per_clock);
    t.requests += n;
    lane_accesses += static_cast<double>(site.bytes) / 4 / wide;
    if (!shared) t.l2_bytes += static_cast<double>(site.sectors) * 32;
  }
  if (t.requests > 0) t.lanes_used = std::clamp(lane_accesses / t.requests / 32, 1.0 / 32, 1.0);
  return t;
}

}  // namespace

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
  const double warps = std::ceil(static_cast<double>(launch.block.x) * launch.block.y * launch.block.z / 32);
  const Traffic traffic = traffic_of(c, k);

  // Whole waves of blocks: a grid one block larger than the GPU holds takes one turn more.
  const BlockNeeds needs{launch.block.x * launch.block.y * launch.block.z,
                         static_cast<std::size_t>(launch.shared_bytes)};
  const double resident = std::max(1, blocks_per_sm(gpu, needs).blocks);
  const double busy_sms = std::min<double>(gpu.sms, blocks);
  const double imbalance = std::ceil(blocks / gpu.sms) * busy_sms / blocks;
  const double waves = std::ceil(blocks / (gpu.sms * resident));

  t.sm_us = traffic.lsu_clocks / busy_sms * imbalance / clocks_per_us;
  t.l2_us = traffic.l2_bytes / (k.l2_bytes_per_clock * busy_sms) / clocks_per_us;
  const double fp32_per_us = gpu.fp32_tflops * 1e6 * busy_sms / gpu.sms * k.arithmetic_efficiency;
  t.arithmetic_us = c.flops / fp32_per_us / traffic.lanes_used * imbalance;
  // What one warp does from its first access to its last, once for every wave.
  const double chain = (traffic.requests * k.access_clocks +
                        static_cast<double>(c.warp_operations) * k.warp_operation_clocks) /
                           (blocks * warps) +
                       static_cast<double>(c.barriers) / blocks * k.barrier_clocks;
  t.latency_us = waves * chain / clocks_per_us;

  // Data from DRAM, blocks that are still to be dispatched and the first load of every wave overlap only in
  // part: their squares add up.
  t.dram_us = (static_cast<double>(c.dram_bytes_read + c.dram_bytes_written) - l2_hit_bytes) /
              (gpu.dram_gbps * 1e3 * k.dram_efficiency);
  t.dispatch_us = blocks * k.dispatch_clocks / clocks_per_us;
  const double wave_us = (waves - 1) * k.dram_latency_clocks / clocks_per_us;
  const double memory_us =
      std::sqrt(t.dram_us * t.dram_us + t.dispatch_us * t.dispatch_us + wave_us * wave_us);

  const std::pair<double, const char*> roofs[] = {
      {memory_us, t.dispatch_us > t.dram_us ? "dispatch" : "DRAM"},
      {t.l2_us, "L2"},
      {t.sm_us, "load/store"},
      {t.arithmetic_us, "arithmetic"},
      {t.latency_us, "latency"}};
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
