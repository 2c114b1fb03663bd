#include "model.h"

#include <algorithm>
#include <cmath>

namespace workbook::sim {
namespace {

constexpr double kReservedSharedBytes = 1024;  // a block, taken by the system since compute capability 8.0

double blocks_per_sm(const GpuSpec& gpu, double warps_per_block, double shared_bytes) {
  const double by_threads = std::floor(gpu.threads_per_sm / 32.0 / warps_per_block);
  const double by_shared = std::floor(gpu.shared_kb_per_sm * 1024.0 / (shared_bytes + kReservedSharedBytes));
  return std::max(1.0, std::min({by_threads, by_shared, static_cast<double>(gpu.blocks_per_sm)}));
}

}  // namespace

runs::ModelledTime model_time(const GpuSpec& gpu, const runs::LaunchRecord& launch, const ModelConstants& k) {
  runs::ModelledTime t;
  t.gpu = gpu.name;
  t.launch_us = k.launch_us;
  if (!launch.counters) return t;
  const runs::LaunchCounters& c = *launch.counters;
  const double clock_mhz = gpu.clock_ghz * 1e3;  // clocks a microsecond
  const double blocks = std::max<double>(1, static_cast<double>(c.blocks_total));
  const double threads = static_cast<double>(launch.block.x) * launch.block.y * launch.block.z;
  const double warps = std::ceil(threads / 32);

  // Whole waves of blocks: a grid one block larger than the GPU holds takes twice as long.
  const double resident = blocks_per_sm(gpu, warps, static_cast<double>(launch.shared_bytes));
  const double busy_sms = std::min<double>(gpu.sms, blocks);
  const double blocks_on_busiest = std::ceil(blocks / gpu.sms);
  const double imbalance = blocks_on_busiest * busy_sms / blocks;
  const double waves = std::ceil(blocks / (gpu.sms * resident));

  t.dram_us = static_cast<double>(c.dram_bytes_read + c.dram_bytes_written) / (gpu.dram_gbps * 1e3 * k.dram_efficiency);

  double lsu_clocks = 0, lane_accesses = 0, requests = 0, l2_sectors = 0;
  for (const auto& site : c.sites) {
    const auto n = static_cast<double>(site.requests);
    const bool shared = site.kind.rfind("shared", 0) == 0;
    const double wide = n > 0 ? std::max(1.0, static_cast<double>(site.bytes) / n / 128) : 1.0;
    lsu_clocks += shared ? static_cast<double>(site.bank_passes) * wide
                         : std::max(n, static_cast<double>(site.sectors) / k.l1_sectors_per_clock);
    requests += n;
    lane_accesses += static_cast<double>(site.bytes) / 4 / wide;
    if (!shared) l2_sectors += static_cast<double>(site.sectors);
  }
  t.sm_us = lsu_clocks / busy_sms * imbalance / clock_mhz;
  t.l2_us = l2_sectors * 32 / (k.l2_bytes_per_clock * busy_sms) / clock_mhz;

  const double lanes_used = requests > 0 ? std::clamp(lane_accesses / requests / 32, 1.0 / 32, 1.0) : 1.0;
  const double fp32_per_us = gpu.fp32_tflops * 1e6 * busy_sms / gpu.sms;
  t.arithmetic_us = c.flops / (fp32_per_us * k.arithmetic_efficiency) / lanes_used * imbalance;

  // What one warp does from its first access to its last, once for every wave.
  const double requests_per_warp = requests / (blocks * warps);
  const double barriers_per_block = static_cast<double>(c.barriers) / blocks;
  t.latency_us = waves * (requests_per_warp * k.access_clocks + barriers_per_block * k.barrier_clocks) / clock_mhz;

  const std::pair<double, const char*> roofs[] = {{t.dram_us, "DRAM"},
                                                  {t.l2_us, "L2"},
                                                  {t.sm_us, "load/store"},
                                                  {t.arithmetic_us, "arithmetic"},
                                                  {t.latency_us, "latency"}};
  const auto worst = *std::max_element(std::begin(roofs), std::end(roofs));
  t.total_us = t.launch_us + worst.first;
  t.bound = worst.first < t.launch_us ? "launch" : worst.second;
  return t;
}

}  // namespace workbook::sim
