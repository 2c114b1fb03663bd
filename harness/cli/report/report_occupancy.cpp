// What a launch's blocks take of a multiprocessor, how many fit, and what the next one lacks.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/report/format.h"
#include "cli/report/report.h"
#include "clock/occupancy.h"

namespace workbook::cli {
namespace {

std::string amount_text(const sim::Supply& supply, std::int64_t amount) {
  return supply.name == std::string_view("shared memory") ? bytes_text(static_cast<double>(amount))
                                                          : std::to_string(amount);
}

/// Nsight Compute's name for how many blocks it is enough for.
std::string_view nvidia_limit(std::string_view name) {
  if (name == "threads") return "launch__occupancy_limit_warps";
  if (name == "shared memory") return "launch__occupancy_limit_shared_mem";
  if (name == "registers") return "launch__occupancy_limit_registers";
  return "launch__occupancy_limit_blocks";
}

/// "2.05 kB of shared memory"; of all that the blocks use up alike.
std::string lack_text(const sim::Multiprocessor& sm) {
  std::string text;
  for (const sim::Supply& supply : sm.supplies) {
    if (supply.blocks != sm.resident.blocks) continue;
    if (!text.empty()) text += " and ";
    const std::string unit = supply.name == std::string_view("shared memory") ? " of " : " ";
    text += amount_text(supply, supply.lacking(sm.resident.blocks)) + unit + supply.name;
  }
  return text;
}

}  // namespace

std::string occupancy_report(const runs::RunRecord& record) {
  std::string out;
  if (record.benchmarks.empty()) return out;
  for (const runs::LaunchRecord& launch : record.benchmarks.back().launches) {
    const sim::GpuSpec* gpu = launch.modelled ? sim::find_gpu(launch.modelled->gpu) : nullptr;
    if (gpu == nullptr || !launch.counters || launch.counters->threads == 0) continue;
    const sim::Multiprocessor sm = sim::multiprocessor(*gpu, launch);
    if (sm.supplies.empty()) continue;
    out += paint(Colour::bold,
                 fmt::format("Blocks of {} on a multiprocessor of the {}:", launch.kernel, gpu->name)) +
           '\n' +
           fitted(fmt::format("  {} of {} at a time: {} of {} warps ({:.0f} %), bound by {}. The next block "
                              "lacks {}.\n",
                              count_text(sm.resident.blocks, "block"), count_text(sm.warps_a_block, "warp"),
                              sm.warps, sm.warp_slots, 100.0 * sm.warps / sm.warp_slots, sm.resident.limit,
                              lack_text(sm)));
    Table table({"", "there is", "a block takes", "enough for", "Nsight Compute"});
    table.left(4);
    for (const sim::Supply& supply : sm.supplies)
      table.row({supply.name, amount_text(supply, supply.there_is),
                 supply.known ? amount_text(supply, supply.a_block) : "not known",
                 supply.known ? std::to_string(supply.blocks) : "-", std::string(nvidia_limit(supply.name))});
    out += table.text() + '\n';
  }
  return out;
}

}  // namespace workbook::cli
