#include "opt/schedule.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "clock/model.h"
#include "opt/emit.h"

namespace workbook::opt {
namespace {

constexpr std::size_t kMostPartitions = 400;  ///< of one graph into launches
constexpr std::int64_t kGridTiles[] = {1, 8, 16, 32, 64}, kLoopTiles[] = {16, 32, 64};
constexpr int kWarps[] = {4, 8}, kRowWarps[] = {1, 2, 4, 8, 16};
constexpr std::int64_t kLeastTile = 64, kMostTile = 4096;  ///< elements of what a block writes
constexpr std::int64_t kWhole = 128;                       ///< a longer index is cut

/// Everything about one graph.
class GraphScheduler {
 public:
  GraphScheduler(const Program& program, const Graph& graph, const sim::GpuSpec& gpu)
      : program_(program),
        gpu_(gpu),
        extents_(real_extents(graph)),
        shapes_(shapes_of(graph, program.output_set())),
        plan_{graph, {}} {}

  std::vector<Scheduled> run(const std::function<bool()>& stop, std::int64_t& priced) {
    std::vector<Scheduled> found;
    for (const std::vector<std::uint64_t>& parts : partitions()) {
      if (stop && stop()) break;
      if (auto plan = best(parts)) found.push_back(std::move(*plan));
    }
    priced += priced_;
    return found;
  }

  /// The best cuts for these launches, or nothing where one of them cannot be.
  std::optional<Scheduled> best(const std::vector<std::uint64_t>& parts) {
    Plan plan{plan_.graph, {}};
    for (const std::uint64_t nodes : parts) plan.kernels.push_back({nodes, {}, Path::plain, 8});
    if (plan_fault(program_, plan, extents_)) return std::nullopt;
    const std::vector<Launch> launches = launches_of(program_, plan);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      std::uint64_t writes = 0;
      for (const int node : launches[k].writes) writes |= node_bit(node);
      const auto key = std::pair(parts[k], writes);
      auto known = kernels_.find(key);
      if (known == kernels_.end())
        known = kernels_.emplace(key, best_kernel(plan, static_cast<int>(k))).first;
      if (!known->second) return std::nullopt;
      plan.kernels[k] = *known->second;
    }
    if (emit_fault(program_, plan)) return std::nullopt;
    Price price = price_of(program_, plan, extents_, gpu_);
    return Scheduled{std::move(plan), std::move(price)};
  }

 private:
  /// All ways to give each node a launch not before its operands', launches without a gap.
  std::vector<std::vector<std::uint64_t>> partitions() const {
    std::vector<std::vector<std::uint64_t>> found;
    const std::vector<int> nodes = node_list(needed_nodes(plan_.graph));
    std::vector<std::uint64_t> parts;
    std::vector<int> of(plan_.graph.nodes.size(), 0);
    for (std::size_t count = 1; count <= std::min<std::size_t>(kMostLaunches, nodes.size()); ++count) {
      parts.assign(count, 0);
      assign(nodes, 0, of, parts, found);
    }
    return found;
  }
  void assign(const std::vector<int>& nodes, std::size_t at, std::vector<int>& of,
              std::vector<std::uint64_t>& parts, std::vector<std::vector<std::uint64_t>>& found) const {
    if (found.size() >= kMostPartitions) return;
    if (at == nodes.size()) {
      if (std::find(parts.begin(), parts.end(), 0) == parts.end()) found.push_back(parts);
      return;
    }
    const Node& op = plan_.graph.nodes[slot(nodes[at])];
    int least = of[slot(op.a)];
    if (op.b >= 0) least = std::max(least, of[slot(op.b)]);
    for (int part = least; part < static_cast<int>(parts.size()); ++part) {
      of[slot(nodes[at])] = part;
      parts[slot(part)] |= node_bit(nodes[at]);
      assign(nodes, at + 1, of, parts, found);
      parts[slot(part)] &= ~node_bit(nodes[at]);
    }
  }

  std::optional<Kernel> best_kernel(const Plan& given, int number) {
    Plan plan = given;
    best_us_ = INFINITY;
    best_.reset();
    const std::uint64_t nodes = plan.kernels[slot(number)].nodes;
    const Launch launch = launches_of(program_, plan)[slot(number)];
    bool products = false;
    IndexSet all = 0, summed = 0, written = 0;
    for (const int node : launch.reads) all |= shapes_[slot(node)];
    for (const int node : launch.writes) written |= shapes_[slot(node)];
    for (const int node : node_list(nodes)) {
      const Node& op = plan_.graph.nodes[slot(node)];
      all |= shapes_[slot(node)];
      products = products || op.op == Op::matmul;
      if (op.over >= 0) summed |= only(op.over);
    }
    if (!products)
      for (const int warps : kRowWarps) try_row(plan, number, warps);
    if (products || !best_) try_tiles(plan, number, written & ~summed, all & summed, products);
    return best_;
  }

  void consider(const Plan& plan, int number) {
    if (plan_fault(program_, plan, extents_)) return;
    const Launch launch = launches_of(program_, plan)[slot(number)];
    const Kernel& kernel = plan.kernels[slot(number)];
    if (kernel.path == Path::row && !row_shape(program_, plan, launch, kernel)) return;
    if (kernel.path != Path::row &&
        shared_bytes(nests_of(program_, plan, launch, kernel), tiles_of(kernel, extents_)) >
            std::int64_t{gpu_.shared_kb_per_block} * 1024)
      return;
    ++priced_;
    runs::LaunchRecord record = counted(program_, plan, launch, kernel, extents_);
    const double us = sim::LaunchSequence(gpu_).next(record).total_us;
    if (us >= best_us_) return;
    best_us_ = us;
    best_ = kernel;
  }

  void try_row(Plan& plan, int number, int warps) {
    Kernel& kernel = plan.kernels[slot(number)];
    kernel = {kernel.nodes, {}, Path::row, warps};
    const auto row = row_shape(program_, plan, launches_of(program_, plan)[slot(number)], kernel);
    if (!row || static_cast<int>(row->rows.size()) > kMostGridIndices) return;
    for (const int index : row->rows) kernel.cuts[slot(index)].grid = extents_[slot(index)];
    consider(plan, number);
  }

  void try_tiles(Plan& plan, int number, IndexSet grid, IndexSet summed, bool products) {
    Kernel& kernel = plan.kernels[slot(number)];
    const std::uint64_t nodes = kernel.nodes;
    std::vector<int> loops{-1};
    std::vector<int> axes = members(grid);
    for (const int index : members(summed))
      if (extents_[slot(index)] > kWhole) loops.push_back(index);
    if (loops.size() > 1) loops.erase(loops.begin());
    for (const int warps : kWarps)
      for (const int loop : loops)
        for (const std::int64_t loop_tile : kLoopTiles) {
          if (loop < 0 && loop_tile != kLoopTiles[0]) continue;
          kernel = {nodes, {}, products ? Path::product : Path::plain, warps};
          if (loop >= 0)
            kernel.cuts[slot(loop)].loop =
                static_cast<int>((extents_[slot(loop)] + loop_tile - 1) / loop_tile);
          cut_axes(plan, number, axes, 0, 1);
        }
  }
  void cut_axes(Plan& plan, int number, const std::vector<int>& axes, std::size_t at, std::int64_t elements) {
    if (at == axes.size()) {
      if (elements >= std::min(kLeastTile, kMostTile)) consider(plan, number);
      return;
    }
    const std::int64_t extent = extents_[slot(axes[at])];
    Cut& cut = plan.kernels[slot(number)].cuts[slot(axes[at])];
    std::set<std::int64_t> seen;
    for (const std::int64_t tile : kGridTiles) {
      const std::int64_t parts = tile >= extent ? 1 : (extent + tile - 1) / tile;
      if (!seen.insert(parts).second) continue;
      const std::int64_t own = elements * ((extent + parts - 1) / parts);
      if (own > kMostTile) continue;
      cut.grid = static_cast<int>(parts);
      cut_axes(plan, number, axes, at + 1, own);
    }
    cut.grid = 1;
  }

  const Program& program_;
  const sim::GpuSpec& gpu_;
  Extents extents_;
  std::vector<IndexSet> shapes_;
  Plan plan_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::optional<Kernel>> kernels_;
  std::optional<Kernel> best_;
  double best_us_ = 0.0;
  std::int64_t priced_ = 0;
};

bool cheaper(const Scheduled& a, const Scheduled& b) {
  return std::pair(a.price.us, a.plan.kernels) < std::pair(b.price.us, b.plan.kernels);
}

}  // namespace

Schedule schedule(const Program& program, const std::vector<Graph>& graphs, const sim::GpuSpec& gpu,
                  const std::function<bool()>& stop) {
  Schedule result;
  for (std::size_t i = 0; i < std::min(graphs.size(), kScheduledGraphs); ++i) {
    if (stop && stop()) break;
    const std::optional<Graph> graph = stabilised(program, expanded(program, graphs[i]));
    if (!graph) {
      ++result.unstable;
      continue;
    }
    for (Scheduled& plan : GraphScheduler(program, *graph, gpu).run(stop, result.priced))
      result.plans.push_back(std::move(plan));
  }
  std::stable_sort(result.plans.begin(), result.plans.end(), cheaper);
  return result;
}

std::optional<Scheduled> unfused(const Program& program, const sim::GpuSpec& gpu) {
  const std::optional<Graph> graph = stabilised(program, expanded(program, program.graph));
  if (!graph) return std::nullopt;
  const std::vector<int> nodes = node_list(needed_nodes(*graph));
  const auto is_product = [&](int node) { return graph->nodes[slot(node)].op == Op::matmul; };
  const bool products = std::any_of(nodes.begin(), nodes.end(), is_product);
  std::vector<std::uint64_t> parts;
  bool open = false;
  for (const int node : nodes) {
    const bool alone = !products || is_product(node);
    if (alone || !open) parts.push_back(0);
    parts.back() |= node_bit(node);
    open = !alone;
  }
  if (parts.size() > kMostLaunches) return std::nullopt;
  return GraphScheduler(program, *graph, gpu).best(parts);
}

std::optional<Scheduled> best_cuts(const Program& program, const Graph& graph,
                                   const std::vector<std::uint64_t>& parts, const sim::GpuSpec& gpu) {
  return GraphScheduler(program, graph, gpu).best(parts);
}

bool is_attention(const Graph& graph) {
  std::vector<bool> of_product(graph.nodes.size()), of_exp(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.op == Op::input) continue;
    for (const std::int8_t operand : {node.a, node.b}) {
      if (operand < 0) continue;
      of_product[i] = of_product[i] || of_product[slot(operand)];
      of_exp[i] = of_exp[i] || of_exp[slot(operand)];
    }
    if (node.op == Op::matmul && of_exp[i]) return true;
    if (node.op == Op::exp) of_exp[i] = of_product[i];
    if (node.op == Op::matmul) of_product[i] = true;
  }
  return false;
}

}  // namespace workbook::opt
