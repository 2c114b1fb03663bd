#include "model/occupancy.h"

#include <string_view>

#include "model/format.h"
#include "model/roofline.h"
#include "runs/timing.h"

namespace workbook::viewer {
namespace {

const sim::GpuSpec* gpu_of(const runs::RunRecord& run, const runs::LaunchRecord& launch) {
  if (launch.modelled) return sim::find_gpu(launch.modelled->gpu);
  const auto roof = roof_of(run);
  return roof ? sim::find_gpu(roof->key) : nullptr;
}

std::string amount(const sim::Supply& supply, std::int64_t value) {
  return supply.name == std::string_view("shared memory") ? format_bytes(value) : format_count(value);
}

}  // namespace

Held make_held(const runs::RunRecord& run, const std::string& benchmark_name) {
  Held held;
  const runs::Benchmark* benchmark = runs::find_benchmark(run, benchmark_name);
  if (benchmark == nullptr) return held;
  double longest = -1.0;
  for (const runs::LaunchRecord& launch : benchmark->launches) {
    const sim::GpuSpec* gpu = gpu_of(run, launch);
    const auto timing = runs::timing_of(launch, run.device);
    const double us = timing ? timing->us.median : 0.0;
    if (gpu == nullptr || launch.kernel == "copy" || launch.kernel == "set" || us <= longest) continue;
    const sim::Multiprocessor sm = sim::multiprocessor(*gpu, launch);
    if (sm.supplies.empty()) continue;
    longest = us;
    held = {true, launch.kernel, std::string(gpu->name), sm};
  }
  return held;
}

std::string held_words(const Held& held) {
  return std::to_string(held.sm.warps) + " of " + std::to_string(held.sm.warp_slots) + " warps, bound by " +
         held.sm.resident.limit;
}

std::string taken_words(const Held& held, const sim::Supply& supply) {
  if (!supply.known) return "not known";
  const int blocks = held.sm.resident.blocks;
  if (supply.a_block == 1) return plural(blocks, "block") + " of " + amount(supply, supply.there_is);
  return plural(blocks, "block") + " of " + amount(supply, supply.a_block) + ", of " +
         amount(supply, supply.there_is);
}

std::string next_words(const Held& held, const sim::Supply& supply) {
  if (!supply.known) return "";
  const std::int64_t lacking = supply.lacking(held.sm.resident.blocks);
  return lacking > 0 ? "the next one lacks " + amount(supply, lacking) : "the next one fits";
}

int block_of_slot(const Held& held, int slot) {
  return slot < held.sm.warps ? slot / held.sm.warps_a_block : -1;
}

}  // namespace workbook::viewer
