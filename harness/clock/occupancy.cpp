#include "occupancy.h"

#include <algorithm>

namespace workbook::sim {
namespace {

constexpr int kWarpThreads = 32, kMaxBlockThreads = 1024;
constexpr int kRegisterUnit = 256;  // a warp's registers are given out in multiples of it
constexpr int kPartitions = 4;      // of a multiprocessor, each with a quarter of the registers

std::size_t round_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

std::size_t shared_unit(const GpuSpec& gpu) { return gpu.major >= 8 ? 128 : 256; }
std::size_t reserved_shared(const GpuSpec& gpu) { return gpu.major >= 8 ? 1024 : 0; }
std::size_t shared_of_sm(const GpuSpec& gpu) { return static_cast<std::size_t>(gpu.shared_kb_per_sm) * 1024; }

/// In the order in which a limit is named where several are met at once.
std::vector<Supply> supplies_of(const GpuSpec& gpu, const BlockNeeds& needs, int warps) {
  const std::int64_t slots = gpu.threads_per_sm / kWarpThreads;
  const auto shared =
      static_cast<std::int64_t>(round_up(needs.shared_bytes + reserved_shared(gpu), shared_unit(gpu)));
  const auto per_warp = static_cast<std::int64_t>(
      round_up(static_cast<std::size_t>(std::max(1, needs.registers)) * kWarpThreads, kRegisterUnit));
  // What is left of a quarter and holds no whole warp is of use to nobody.
  const std::int64_t warps_with_registers = kRegistersPerSm / kPartitions / per_warp * kPartitions;
  std::vector<Supply> all = {
      {"threads", slots * kWarpThreads, warps * kWarpThreads, static_cast<int>(slots / warps)},
      {"blocks", gpu.blocks_per_sm, 1, gpu.blocks_per_sm}};
  if (shared > 0) {
    const auto there_is = static_cast<std::int64_t>(shared_of_sm(gpu));
    all.push_back({"shared memory", there_is, shared, static_cast<int>(there_is / shared)});
  }
  all.push_back({"registers", warps_with_registers * per_warp, warps * per_warp,
                 static_cast<int>(warps_with_registers / warps)});
  return all;
}

Residency least_of(const std::vector<Supply>& supplies) {
  Residency out{supplies.front().blocks, supplies.front().name};
  for (const Supply& supply : supplies)
    if (supply.blocks < out.blocks) out = {supply.blocks, supply.name};
  return out;
}

int warps_of(const BlockNeeds& needs) {
  return static_cast<int>((needs.threads + kWarpThreads - 1) / kWarpThreads);
}

}  // namespace

Residency blocks_per_sm(const GpuSpec& gpu, const BlockNeeds& needs) {
  const int warps = warps_of(needs);
  if (warps == 0 || needs.threads > static_cast<unsigned>(kMaxBlockThreads)) return {0, "threads"};
  return least_of(supplies_of(gpu, needs, warps));
}

BlockNeeds needs_of(const runs::LaunchRecord& launch) {
  return {
      .threads = launch.block.x * launch.block.y * launch.block.z,
      .shared_bytes = static_cast<std::size_t>(launch.shared_bytes),
      .registers = launch.registers > 0 ? static_cast<int>(launch.registers) : BlockNeeds::kAssumedRegisters};
}

Multiprocessor multiprocessor(const GpuSpec& gpu, const runs::LaunchRecord& launch) {
  const BlockNeeds needs = needs_of(launch);
  Multiprocessor out{.resident = blocks_per_sm(gpu, needs), .warps_a_block = warps_of(needs)};
  out.warp_slots = gpu.threads_per_sm / kWarpThreads;
  if (out.resident.blocks == 0) return out;
  out.warps = out.resident.blocks * out.warps_a_block;
  out.supplies = supplies_of(gpu, needs, out.warps_a_block);
  for (Supply& supply : out.supplies)
    if (supply.name == std::string_view("registers")) supply.known = launch.registers > 0;
  return out;
}

std::size_t shared_bytes_for(const GpuSpec& gpu, int blocks, std::size_t static_bytes) {
  const std::size_t unit = shared_unit(gpu);
  const std::size_t share = shared_of_sm(gpu) / static_cast<std::size_t>(std::max(1, blocks)) / unit * unit;
  const std::size_t most = static_cast<std::size_t>(gpu.shared_kb_per_block) * 1024;
  const std::size_t taken = static_bytes + reserved_shared(gpu);
  return share <= taken ? 0 : std::min(share - taken, most - std::min(most, static_bytes));
}

}  // namespace workbook::sim
