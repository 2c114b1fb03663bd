#include "sim/runtime/timeline.h"

#include <algorithm>

#include "clock/model.h"
#include "clock/occupancy.h"
#include "sim/runtime/pointers.h"

namespace workbook::sim {
namespace {

constexpr std::size_t kRemembered = 64;  // latest kernels that a later one may run beside

bool on_device(Side place) { return place == Side::device || place == Side::managed; }

}  // namespace

Timeline& Timeline::get() {
  static auto& timeline = *new Timeline;
  return timeline;
}

Span Timeline::place(const Cost& cost, double not_before) {
  double start = std::max(not_before, host_us);
  if (cost.engine == Engine::none) return {start, start + cost.us};
  if (cost.engine != Engine::compute) {
    double& free = free_[cost.engine == Engine::copy_in ? 0 : 1];
    start = std::max(start, free);
    free = start + cost.us;
    return {start, free};
  }
  std::sort(compute_.begin(), compute_.end(), [](const Busy& a, const Busy& b) { return a.end < b.end; });
  const auto taken = [&](double when) {
    double sum = 0;
    for (const Busy& b : compute_) sum += b.start <= when && when < b.end ? b.share : 0;
    return sum;
  };
  for (const Busy& b : compute_)
    if (b.end > start && taken(start) + cost.share > 1 + 1e-9) start = b.end;
  compute_.push_back({start, start + cost.us, cost.share});
  if (compute_.size() > kRemembered) compute_.erase(compute_.begin());
  return {start, start + cost.us};
}

Cost link_cost(std::size_t bytes, Engine engine) {
  const double gbps = current_gpu().link_gbps * kLinkEfficiency;
  return {engine, kCopyLatencyUs + static_cast<double>(bytes) / (gbps * 1e3)};
}

Cost copy_cost(const void* to, const void* from, std::size_t bytes) {
  const Side target = point_to(to).side, source = point_to(from).side;
  if (on_device(target) && on_device(source)) {
    Cost cost = fill_cost(bytes);
    cost.us += cost.us - ModelConstants{}.launch_us;  // every byte is read as well as written
    return cost;
  }
  Cost cost = link_cost(bytes, on_device(target) ? Engine::copy_in : Engine::copy_out);
  if (target == Side::pageable || source == Side::pageable)
    cost.us = std::max(cost.us, kCopyLatencyUs + static_cast<double>(bytes) / (kPageableGbps * 1e3));
  return cost;
}

Cost fill_cost(std::size_t bytes) {
  const ModelConstants k;
  return {Engine::compute,
          k.launch_us + static_cast<double>(bytes) / (current_gpu().dram_gbps * 1e3 * k.dram_efficiency)};
}

Cost launch_cost(const FinishedLaunch& launch, double cpu_us) {
  runs::LaunchRecord record;
  record.kernel = launch.kernel;
  record.grid = launch.grid;
  record.block = launch.block;
  record.shared_bytes = launch.shared_bytes;
  record.counters = launch.counters;
  Cost cost{Engine::compute, cpu_us};
  if (launch.modelled)
    cost.us = launch.modelled->total_us;
  else if (launch.counters)
    cost.us = model_time(current_gpu(), record).total_us;
  const double blocks = static_cast<double>(launch.grid.x) * launch.grid.y * launch.grid.z;
  const double room = static_cast<double>(current_gpu().sms) *
                      std::max(1, blocks_per_sm(current_gpu(), needs_of(record)).blocks);
  cost.share = std::min(1.0, blocks / room);
  return cost;
}

}  // namespace workbook::sim
