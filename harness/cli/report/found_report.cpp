#include "cli/report/found_report.h"

#include <fmt/format.h>

#include "cli/report/format.h"
#include "clock/gpus.h"

namespace workbook::cli {
namespace {

/// Nothing where its kernels have not been run (--emit-only).
const runs::FusionPlan* best_plan(const runs::FusionRecord& record) {
  if (record.best < 0) return nullptr;
  const runs::FusionPlan& plan = record.plans[static_cast<std::size_t>(record.best)];
  return plan.built && plan.built->right ? &plan : nullptr;
}

runs::LaunchRecord launch_of(const runs::FusionRecord& record, const runs::FusionPlan& plan, std::size_t k,
                             bool modelled) {
  const runs::FusionLaunch& from = plan.launches[k];
  runs::LaunchRecord launch;
  launch.kernel = record.program + "_kernel" + (plan.launches.size() > 1 ? std::to_string(k + 1) : "");
  runs::LaunchCounters& counters = launch.counters.emplace();
  for (const runs::TensorTraffic& traffic : from.traffic) {
    counters.dram_bytes_read += traffic.bytes_read;
    counters.dram_bytes_written += traffic.bytes_written;
  }
  if (modelled)
    launch.modelled = runs::ModelledTime{.gpu = record.gpu,
                                         .total_us = from.predicted_us,
                                         .launch_us = from.launch_us,
                                         .dram_us = from.dram_us,
                                         .bound = from.bound};
  return launch;
}

/// What crosses the plan's launches.
std::vector<runs::TensorInfo> crossing_tensors(const runs::FusionRecord& record,
                                               const runs::FusionPlan& plan) {
  const runs::FusionGraph& graph = record.graphs[static_cast<std::size_t>(plan.graph)];
  std::vector<runs::TensorInfo> tensors;
  for (const runs::FusionCrossing& crossing : plan.crossings) {
    const runs::FusionNode& node = graph.nodes[static_cast<std::size_t>(crossing.node)];
    const bool known = std::any_of(tensors.begin(), tensors.end(),
                                   [&](const runs::TensorInfo& each) { return each.id == crossing.node; });
    if (known) continue;
    runs::TensorInfo tensor;
    tensor.id = crossing.node;
    tensor.name = node.name;
    tensor.role = runs::TensorRole::intermediate;
    tensor.dtype = node.dtype;
    tensor.bytes = node.bytes;
    for (const runs::TensorTraffic& each : plan.launches[static_cast<std::size_t>(crossing.from)].traffic)
      if (each.tensor == crossing.node)
        tensor.bytes = std::max(tensor.bytes, each.bytes_written);  // in parts
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

}  // namespace

std::optional<runs::RunRecord> found_run(const runs::FusionRecord& record, const runs::Benchmark& shape,
                                         const runs::Timing& like) {
  const runs::FusionPlan* plan = best_plan(record);
  if (plan == nullptr) return std::nullopt;
  const bool there = like.measured ? like.cold && plan->measured_us && like.device == record.measured_on
                                   : like.device == record.gpu;
  if (!there) return std::nullopt;
  runs::RunRecord run;
  run.origin = kFoundBySearch;
  run.variant = "found";
  run.started_at = record.made_at;
  run.device = like.device;
  runs::Benchmark& bench = run.benchmarks.emplace_back();
  bench.name = shape.name;
  bench.sizes = shape.sizes;
  bench.tensors = crossing_tensors(record, *plan);
  for (std::size_t k = 0; k < plan->launches.size(); ++k)
    bench.launches.push_back(launch_of(record, *plan, k, !like.measured));
  if (like.measured)
    bench.graph_cold_us = plan->cold_us;
  else
    bench.modelled_total_us = plan->predicted_us;
  return run;
}

std::string found_words(const std::optional<runs::FusionRecord>& record, const runs::Timing& like,
                        const std::string& command) {
  const runs::FusionPlan* plan = record ? best_plan(*record) : nullptr;
  if (plan == nullptr)
    return fmt::format("nothing is on record at these sizes; `{}` finds a plan to put beside these.",
                       command);
  std::string way = fmt::format("`{}`, where that GPU is, measures it.", command);
  if (!like.measured) {
    way = fmt::format("`{}` prices it for another GPU.", command + " --gpu NAME");
    for (const sim::GpuSpec& gpu : sim::known_gpus())
      if (gpu.name == like.device) way = fmt::format("`{} --gpu {}` prices it there.", command, gpu.key);
  }
  return fmt::format(
      "a plan in {}, modelled for an {}: {}. The times above are {}, which is no ranking with it. {}",
      count_text(static_cast<std::int64_t>(plan->launches.size()), "launch"), record->gpu,
      time_text(plan->predicted_us), like.source(), way);
}

}  // namespace workbook::cli
