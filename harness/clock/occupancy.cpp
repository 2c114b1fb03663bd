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

}  // namespace

Residency blocks_per_sm(const GpuSpec& gpu, const BlockNeeds& needs) {
  const int warps = static_cast<int>((needs.threads + kWarpThreads - 1) / kWarpThreads);
  if (warps == 0 || needs.threads > static_cast<unsigned>(kMaxBlockThreads)) return {0, "threads"};
  Residency out{gpu.threads_per_sm / kWarpThreads / warps, "threads"};
  const auto at_most = [&](int blocks, const char* limit) {
    if (blocks < out.blocks) out = {blocks, limit};
  };
  at_most(gpu.blocks_per_sm, "blocks");
  const std::size_t shared = round_up(needs.shared_bytes + reserved_shared(gpu), shared_unit(gpu));
  if (shared > 0) at_most(static_cast<int>(shared_of_sm(gpu) / shared), "shared memory");
  const int per_warp = static_cast<int>(
      round_up(static_cast<std::size_t>(std::max(1, needs.registers)) * kWarpThreads, kRegisterUnit));
  at_most(kRegistersPerSm / kPartitions / per_warp * kPartitions / warps, "registers");
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
