#include "optimizer/launch/counter.h"

#include <fmt/format.h>

#include <map>

namespace workbook::opt {

LaunchCounter::LaunchCounter(const Program& program, const Plan& plan, const Launch& launch,
                             const Kernel& kernel, const Extents& extents)
    : program_(program),
      plan_(plan),
      graph_(plan.graph),
      launch_(launch),
      kernel_(kernel),
      extents_(extents),
      tiles_(tiles_of(kernel, extents)),
      shapes_(shapes_of(plan.graph, program.output_set())),
      dims_(plan.graph.nodes.size()),
      threads_(std::int64_t{32} * kernel.warps) {
  for (const int node : launch.reads) dims_[slot(node)] = dims_of(program, plan, node, shapes_);
  for (const int node : launch.writes) dims_[slot(node)] = dims_of(program, plan, node, shapes_);
}

runs::LaunchRecord LaunchCounter::run() {
  record_.kernel = fmt::format("launch of {} operations", node_list(kernel_.nodes).size());
  record_.block.x = static_cast<std::uint32_t>(threads_);
  counters_.emplace();
  for (const int node : launch_.reads)
    if (is_stored(plan_, node)) traffic(node).bytes_read = bytes_of(node, parts_of(node));
  std::map<int, std::int64_t> left;  // of sources, what is not read yet: several views may be of one
  for (const int node : launch_.reads)
    if (is_view(plan_, node)) {  // it may read an element several times, or some of them only
      const int source = graph_.inputs[slot(node)].view_of;
      const std::int64_t all = listed(launch_.reads, source) ? 0 : bytes_of(source, 1);
      std::int64_t& rest = left.try_emplace(source, all).first->second;
      traffic(node).bytes_read = std::min(bytes_of(node, 1), rest);
      rest -= traffic(node).bytes_read;
    }
  for (const int node : launch_.writes) {
    const bool split = launch_.is_split(graph_, node);
    traffic(node).bytes_written = bytes_of(node, split ? kernel_.cuts[slot(launch_.split)].grid : 1);
  }
  for (const runs::TensorTraffic& traffic : counters_->traffic) {
    counters_->dram_bytes_read += traffic.bytes_read;
    counters_->dram_bytes_written += traffic.bytes_written;
  }
  count();
  counters_->blocks_total = counters_->blocks_sampled = blocks_;
  counters_->threads = blocks_ * threads_;
  for (runs::SiteCounters& site : counters_->sites) {
    const bool global = runs::is_global(site.kind);
    (global ? counters_->global_requests : counters_->shared_requests) += site.requests;
    counters_->l2_sectors += site.sectors;
    counters_->shared_passes += site.bank_passes;
  }
  if (chained_shared_) {
    counters_->chained_shared = *chained_shared_;
    record_.counters = std::move(*counters_);
    return record_;
  }
  // Loads between two barriers follow one another.
  std::int64_t stores = 0;
  for (const runs::SiteCounters& site : counters_->sites)
    if (site.kind == runs::SiteKind::shared_store) stores += site.requests;
  const std::int64_t warps = divided(threads_, 32);
  counters_->chained_shared = std::min(counters_->shared_requests, stores + counters_->barriers * warps);
  record_.counters = std::move(*counters_);
  return record_;
}

std::int64_t LaunchCounter::parts_of(int node) const {
  const Parts& parts = launch_.parts[slot(node)];
  if (parts.launch < 0) return 1;
  const Kernel& from = plan_.kernels[slot(parts.launch)];
  const std::int64_t extent = extents_[slot(parts.index)];
  return divided(extent, tile_of(from, parts.index, extent) * from.cuts[slot(parts.index)].loop);
}
std::int64_t LaunchCounter::size_of_tensor(int node) const {
  std::int64_t size = 1;
  for (const int index : members(shapes_[slot(node)])) size *= extents_[slot(index)];
  return size;
}
std::int64_t LaunchCounter::bytes_of(int node, std::int64_t parts) const {
  const std::int64_t bytes = item_bytes(storage_of(program_, plan_, node)) * size_of_tensor(node) * parts;
  return divided(bytes, kSector) * kSector;
}
runs::TensorTraffic& LaunchCounter::traffic(int node) {
  for (runs::TensorTraffic& traffic : counters_->traffic)
    if (traffic.tensor == node) return traffic;
  counters_->traffic.push_back({node, 0, 0});
  return counters_->traffic.back();
}
runs::SiteCounters& LaunchCounter::site(int node, runs::SiteKind kind) {
  for (runs::SiteCounters& site : counters_->sites)
    if (site.tensor == node && site.kind == kind) return site;
  runs::SiteCounters site;
  site.kind = kind;
  site.tensor = node;
  counters_->sites.push_back(std::move(site));
  return counters_->sites.back();
}

}  // namespace workbook::opt
