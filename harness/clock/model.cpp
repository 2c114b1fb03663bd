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
  double accesses = 0;        ///< requests that a warp waits for a moment: what the L1 answers
  double missed_sectors = 0;  ///< global loads: those that the L1 does not have
  double lost_sectors = 0;    ///< of these, those that were loaded before and that the L2 has lost since
  double l2_bytes = 0;
  double atomic_clocks = 0;  ///< of global atomics, which queue for their addresses
  double lanes_used = 1;     ///< of 32, on average
};

bool is_shared(const runs::SiteCounters& site) {
  return runs::is_shared(site.kind) || (site.kind == runs::SiteKind::atomic && site.bank_passes > 0);
}

void add_shared(Traffic& t, const runs::SiteCounters& site, double wide, const ModelConstants& k) {
  const auto passes = static_cast<double>(site.bank_passes);
  t.lsu_clocks += passes * (site.kind == runs::SiteKind::atomic ? k.shared_atomic_pass_clocks
                                                                : wide * k.shared_pass_clocks);
}

const runs::TensorTraffic* traffic_of_tensor(const runs::LaunchCounters& counters, int tensor) {
  const auto found = std::find_if(counters.traffic.begin(), counters.traffic.end(),
                                  [&](const runs::TensorTraffic& t) { return t.tensor == tensor; });
  return found == counters.traffic.end() ? nullptr : &*found;
}

/// Bytes that the launch touches of its tensors, each counted once.
double touched_bytes(const runs::LaunchCounters& counters) {
  double bytes = 0.0;
  for (const auto& traffic : counters.traffic)
    bytes += static_cast<double>(std::max(traffic.bytes_read, traffic.bytes_written));
  return bytes;
}

/// The least that any tensor had written: what atomics count in where the record does not say.
double smallest_written(const runs::LaunchCounters& counters) {
  double bytes = 0.0;
  for (const auto& traffic : counters.traffic)
    if (const auto written = static_cast<double>(traffic.bytes_written); written > 0)
      bytes = bytes > 0 ? std::min(bytes, written) : written;
  return bytes;
}

/// Atomics on few addresses queue at the few parts of the L2 that hold them.
void add_atomics(Traffic& t, const runs::LaunchCounters& counters, const runs::SiteCounters& site,
                 const ModelConstants& k) {
  const runs::TensorTraffic* tensor = traffic_of_tensor(counters, site.tensor);
  const double bytes = tensor != nullptr && tensor->bytes_written > 0
                           ? static_cast<double>(tensor->bytes_written)
                           : smallest_written(counters);
  const double parts = std::clamp(bytes / k.atomic_part_bytes, 1.0, k.atomic_parts);
  t.atomic_clocks += static_cast<double>(site.sectors) * k.atomic_clocks / parts;
  t.accesses += static_cast<double>(site.requests);
}

/// Of the sectors that a scattered load misses, those that others have loaded, of which it wanted another
/// part. Loads that are coalesced come back soon, if at all.
double loaded_again(const runs::LaunchCounters& counters, const runs::SiteCounters& site, double missed) {
  if (2 * site.ideal_sectors > site.sectors) return 0.0;
  const runs::TensorTraffic* tensor = traffic_of_tensor(counters, site.tensor);
  const auto bytes = tensor != nullptr ? tensor->bytes_read : counters.dram_bytes_read;
  return std::max(0.0, missed - static_cast<double>(bytes) / 32);
}

/// Sectors of stores of which only a part is written. Neighbours that begin within a sector leave two of
/// them, at either end, and touch one more than would hold them; what else is missing is missing from one.
double partial_sectors(const runs::SiteCounters& site) {
  const auto sectors = static_cast<double>(site.sectors), ideal = static_cast<double>(site.ideal_sectors);
  const double missing = std::max(0.0, 32 * ideal - static_cast<double>(site.bytes));
  return std::min(sectors, 2 * (sectors - ideal) + missing / 28);
}

void add_global(Traffic& t, const runs::LaunchCounters& counters, const runs::SiteCounters& site,
                const ModelConstants& k) {
  const auto n = static_cast<double>(site.requests), sectors = static_cast<double>(site.sectors);
  // Records from before lines were counted: as few as the sectors allow.
  const double lines = site.lines > 0 ? static_cast<double>(site.lines) : std::max(n, sectors / 4);
  t.lsu_clocks += std::max(n * k.global_request_clocks + std::min(lines - n, n) * k.second_line_clocks +
                               std::max(0.0, lines - 2 * n) * k.further_line_clocks,
                           sectors / k.l1_sectors_per_clock);
  if (site.kind == runs::SiteKind::atomic) {
    add_atomics(t, counters, site, k);
  } else if (site.kind == runs::SiteKind::global_store) {
    t.accesses += n;  // nothing waits for what it stores
    const double partial = partial_sectors(site);
    // The two ends of a run of neighbours are each alone, and of scattered stores one in each line.
    const double alone = std::min(partial, std::max(lines, 2 * n));
    t.l2_bytes += alone * k.l2_partial_store_bytes + (partial - alone) * k.l2_partial_neighbour_bytes +
                  (sectors - partial) * 32;
  } else {
    const double missed = sectors - static_cast<double>(site.l1_sectors);
    t.missed_sectors += missed;
    t.lost_sectors += loaded_again(counters, site, missed);
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
      add_global(t, counters, site, k);
    requests += n;
    lane_accesses += static_cast<double>(site.bytes) / 4 / wide;
  }
  if (requests > 0) t.lanes_used = std::clamp(lane_accesses / requests / 32, 1.0 / 32, 1.0);
  return t;
}

/// Clocks that a warp waits for what its L1 does not have, all in all, and for the first of it.
struct Waiting {
  double all = 0.0, first = 0.0;
};

/// As many sectors at most are waited for together with one that comes from DRAM.
constexpr double kLoadsBeside = 8.0;

Waiting waiting(const runs::LaunchCounters& c, const Traffic& traffic, double warps, double l2_hit_bytes,
                const ModelConstants& k) {
  // A wait takes longer where DRAM has to answer, because no block has brought the data into the L2 before.
  const double waits = static_cast<double>(c.chained_misses) / warps;
  const double cold =
      1.0 - std::min(1.0, l2_hit_bytes / std::max(1.0, static_cast<double>(c.dram_bytes_read)));
  const double of_sectors =
      static_cast<double>(c.dram_bytes_read) / 32 / std::max(1.0, traffic.missed_sectors);
  const double of_waits =
      static_cast<double>(c.chained_dram_misses) / std::max(1.0, static_cast<double>(c.chained_misses));
  // One load that DRAM serves makes those wait that are on their way beside it. But where a sample of the
  // blocks was counted, it was the first to read what in the whole grid many others have read before.
  // Records from before the waits were counted have the sectors alone.
  const double beside = c.chained_dram_misses > 0 ? kLoadsBeside : 1.0;
  const double from_dram = std::min({1.0, beside * of_sectors, c.chained_dram_misses > 0 ? of_waits : 1.0});
  const double clocks =
      k.l2_latency_clocks + from_dram * cold * (k.dram_latency_clocks - k.l2_latency_clocks);
  return {std::max(0.0, waits - 1.0) * clocks, std::min(1.0, waits) * clocks};
}

/// Clocks that warps wait for shared memory. Loads in a row are on their way together.
double waiting_for_shared(const runs::LaunchCounters& c, const ModelConstants& k) {
  const auto requests = static_cast<double>(c.shared_requests);
  const double first =
      c.chained_shared > 0 ? std::min(static_cast<double>(c.chained_shared), requests) : requests;
  return first * k.access_clocks + (requests - first) * k.next_access_clocks;
}

/// What meeting all blocks costs, beside the barrier of each: all count up one number.
double grid_barrier_clocks(double blocks, const ModelConstants& k) {
  return k.grid_barrier_trips * k.l2_latency_clocks + blocks * k.atomic_clocks;
}

double hypotenuse(double a, double b, double c = 0.0) { return std::sqrt(a * a + b * b + c * c); }

}  // namespace

double arithmetic_floor_us(const GpuSpec& gpu, const runs::LaunchCounters& c) {
  return std::max(0.0, c.flops - c.tensor_flops) / (gpu.fp32_tflops * 1e6) +
         c.tensor_flops / (gpu.fp16_tflops * 1e6);
}

double theoretical_occupancy(const GpuSpec& gpu, const runs::LaunchRecord& launch) {
  const BlockNeeds needs = needs_of(launch);
  const unsigned warps = (needs.threads + 31) / 32;
  return blocks_per_sm(gpu, needs).blocks * warps * 32.0 / gpu.threads_per_sm;
}

double dram_bytes_written_by_its_end(const GpuSpec& gpu, const runs::LaunchCounters& counters,
                                     const ModelConstants& k) {
  const double touched = touched_bytes(counters);
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
  t.bound = t.dram_us > t.launch_us ? runs::BoundBy::dram : runs::BoundBy::launch;
  return t;
}

runs::ModelledTime model_time(const GpuSpec& gpu, const runs::LaunchRecord& launch, const ModelConstants& k,
                              double l2_hit_bytes) {
  runs::ModelledTime t;
  t.gpu = gpu.name;
  t.launch_us = k.launch_us + k.first_touch_us;
  t.total_us = t.launch_us;
  t.bound = runs::BoundBy::launch;
  if (!launch.counters) return t;
  const runs::LaunchCounters& c = *launch.counters;
  const double clocks_per_us = gpu.clock_ghz * 1e3;
  const double blocks = std::max<double>(1, static_cast<double>(c.blocks_total));
  const BlockNeeds needs = needs_of(launch);
  const double warps = std::ceil(needs.threads / 32.0);
  const Traffic traffic = traffic_of(c, k);
  const double resident = std::max(1, blocks_per_sm(gpu, needs).blocks);
  const double busy_sms = std::min<double>(gpu.sms, blocks);
  const double imbalance = std::ceil(blocks / gpu.sms) * busy_sms / blocks;

  const double lsu_clocks =
      traffic.lsu_clocks + static_cast<double>(c.remote_requests) * k.remote_request_clocks;
  t.sm_us = lsu_clocks / busy_sms * imbalance / clocks_per_us;
  t.l2_us = traffic.l2_bytes / (k.l2_bytes_per_clock * busy_sms) / clocks_per_us;
  const double share_of_sms = busy_sms / gpu.sms / imbalance;
  t.tensor_us = c.tensor_flops / (gpu.fp16_tflops * 1e6 * k.tensor_efficiency * share_of_sms);
  t.arithmetic_us = t.tensor_us + std::max(0.0, c.flops - c.tensor_flops) /
                                      (gpu.fp32_tflops * 1e6 * k.arithmetic_efficiency * share_of_sms) /
                                      traffic.lanes_used;

  // Waves of blocks. A few are whole: a grid one block larger than the GPU holds takes one turn more; later
  // on SMs drift apart. Where blocks follow one another in a slot, each pays for its start and its first
  // data.
  const double turns = blocks / (gpu.sms * resident);
  const double waves = turns < 4 ? std::ceil(turns) : turns;
  const double all_warps = blocks * warps;
  const Waiting misses = waiting(c, traffic, all_warps, l2_hit_bytes, k);
  const double chain = misses.all +
                       (traffic.accesses * k.access_clocks + waiting_for_shared(c, k) +
                        static_cast<double>(c.warp_operations) * k.warp_operation_clocks +
                        static_cast<double>(c.chained_remote) * k.remote_clocks) /
                           all_warps +
                       static_cast<double>(c.barriers) / blocks * k.barrier_clocks +
                       static_cast<double>(c.cluster_barriers) / blocks * k.cluster_barrier_clocks +
                       static_cast<double>(c.grid_barriers) / blocks * grid_barrier_clocks(blocks, k);
  t.latency_us = waves * (chain + (waves > 1 ? k.block_clocks + misses.first : 0.0)) / clocks_per_us;

  // What the L2 cannot keep until another part of the sector is wanted comes from DRAM again.
  // In a grid of two dimensions blocks that run at the same time want it; in one of one dimension they are
  // taken to come much later, as they do in a gather or with a stride over the whole tensor.
  const bool comes_late = launch.grid.y == 1 && launch.grid.z == 1;
  const double kept = gpu.l2_mb * 1e6 * k.l2_keeps / std::max(1.0, touched_bytes(c));
  const double lost = comes_late ? std::max(0.0, 1.0 - kept) : 0.0;
  const double dram_bytes = static_cast<double>(c.dram_bytes_read + c.dram_bytes_written) - l2_hit_bytes +
                            lost * traffic.lost_sectors * k.refetched_bytes;
  t.dram_us = dram_bytes / (gpu.dram_gbps * 1e3 * k.dram_efficiency);
  t.dispatch_us = blocks * k.dispatch_clocks / clocks_per_us;
  // Data from DRAM overlaps only in part with blocks that are still to be dispatched or that wait: their
  // squares add up. Where a barrier stands between what is read and what is written, blocks that began
  // together wait together as well, and nobody uses DRAM meanwhile: of the first wave both add up as they
  // are.
  const double waited_us = std::max(t.dispatch_us, t.latency_us);
  const auto read = static_cast<double>(c.dram_bytes_read),
             written = static_cast<double>(c.dram_bytes_written);
  const double both_ways = 2 * std::min(read, written) / std::max(1.0, read + written);
  const double in_step = c.barriers > 0 ? both_ways / std::max(1.0, waves) : 0.0;
  const double apart_us = hypotenuse(t.dram_us, waited_us);
  const double memory_us = apart_us + in_step * (t.dram_us + waited_us - apart_us);
  const runs::BoundBy memory_bound = t.dram_us >= waited_us         ? runs::BoundBy::dram
                                     : t.dispatch_us > t.latency_us ? runs::BoundBy::dispatch
                                                                    : runs::BoundBy::latency;
  t.atomics_us = traffic.atomic_clocks / clocks_per_us;

  const std::pair<double, runs::BoundBy> roofs[] = {
      {memory_us, memory_bound},
      {t.l2_us, runs::BoundBy::l2},
      {t.sm_us, runs::BoundBy::load_store},
      {t.arithmetic_us,
       2 * t.tensor_us > t.arithmetic_us ? runs::BoundBy::tensor_cores : runs::BoundBy::arithmetic},
      {t.atomics_us, runs::BoundBy::atomics}};
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
