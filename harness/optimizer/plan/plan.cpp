#include "optimizer/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "optimizer/language/text.h"

namespace workbook::opt {
namespace {

template <class Body>
void for_nodes(std::uint64_t nodes, Body body) {
  for (; nodes != 0; nodes &= nodes - 1) body(std::countr_zero(nodes));
}

struct Analysed {
  std::vector<Launch> launches;
  std::optional<std::string> fault;
};

class Analyser {
 public:
  Analyser(const Program& program, const Plan& plan)
      : program_(program),
        plan_(plan),
        graph_(plan.graph),
        shapes_(shapes_of(plan.graph, program.output_set())) {}

  Analysed run() {
    Analysed result;
    if (plan_.kernels.empty() || plan_.kernels.size() > kMostLaunches) {
      result.fault = fmt::format("a plan has 1 to {} launches", kMostLaunches);
      return result;
    }
    std::uint64_t done = node_bit(static_cast<int>(graph_.inputs.size())) - 1;
    for (std::size_t k = 0; k < plan_.kernels.size() && !result.fault; ++k) {
      Launch launch;
      result.fault = fill(static_cast<int>(k), done, result.launches, launch);
      done |= plan_.kernels[k].nodes;
      result.launches.push_back(std::move(launch));
    }
    if (!result.fault && (needed_nodes(graph_) & ~done) != 0) result.fault = "a node lies in no launch";
    return result;
  }

  /// One launch, those before it being known.
  std::optional<Launch> launch(int number, const std::vector<Launch>& before) {
    std::uint64_t done = node_bit(static_cast<int>(graph_.inputs.size())) - 1;
    for (int k = 0; k < number; ++k) done |= plan_.kernels[slot(k)].nodes;
    std::optional<Launch> made(std::in_place);
    return fill(number, done, before, *made) ? std::nullopt : std::move(made);
  }

 private:
  std::string name(int index) const { return graph_.indices[slot(index)].name; }

  std::optional<std::string> fill(int number, std::uint64_t done, const std::vector<Launch>& before,
                                  Launch& launch) {
    const Kernel& kernel = plan_.kernels[slot(number)];
    if (kernel.nodes == 0) return "a launch without a node";
    for (int i = 0; i < static_cast<int>(graph_.indices.size()); ++i) {
      const Cut& cut = kernel.cuts[slot(i)];
      if (cut.grid < 1 || cut.loop < 1) return fmt::format("{} is cut into no parts", name(i));
      if (cut.grid > 1) launch.grid.push_back(i);
      if (cut.loop == 1) continue;
      if (launch.loop >= 0)
        return fmt::format("a launch loops over one index, not over {} and {}", name(launch.loop), name(i));
      launch.loop = i;
    }
    // On tensor cores, and where tiles are turned, one axis is for several indices.
    if (launch.grid.size() > kMostGridIndices && !on_tensor_cores(kernel.path) && kernel.path != Path::turned)
      return fmt::format("a grid has {} axes", kMostGridIndices);
    if (auto fault = find_running(kernel, launch)) return fault;
    if (auto fault = operands(number, done, launch)) return fault;
    find_parts(number, before, launch);
    if (auto fault = stages(number, launch)) return fault;
    return has_running_maximum(kernel.path) ? degrees(kernel, launch) : std::nullopt;
  }

  std::optional<std::string> find_running(const Kernel& kernel, Launch& launch) const {
    if (!has_running_maximum(kernel.path)) return std::nullopt;
    if (launch.loop < 0) return "path attention has a loop";
    for (const int node : node_list(kernel.nodes)) {
      const Node& op = graph_.nodes[slot(node)];
      if (op.op != Op::max || op.over != launch.loop) continue;
      if (launch.running >= 0) return fmt::format("two maxima run over {}", name(launch.loop));
      launch.running = node;
    }
    if (launch.running < 0) return fmt::format("no maximum runs over {}", name(launch.loop));
    return std::nullopt;
  }

  /// Which of the tensors that it reads lie in parts, and the maxima that it therefore reads too.
  void find_parts(int number, const std::vector<Launch>& before, Launch& launch) const {
    launch.parts.resize(graph_.nodes.size());
    std::vector<int> maxima;
    for (const int node : launch.reads)
      for (int k = number - 1; k >= 0 && slot(node) >= graph_.inputs.size(); --k) {
        if ((plan_.kernels[slot(k)].nodes & node_bit(node)) == 0) continue;
        const Launch& from = before[slot(k)];
        if (from.is_split(graph_, node)) {
          const bool scaled = from.is_rescaled(node) || node == from.running;
          const bool largest = graph_.nodes[slot(node)].op == Op::max;
          launch.parts[slot(node)] = {k, from.split, scaled ? from.running : largest ? node : -1};
          if (scaled && !listed(launch.reads, from.running)) maxima.push_back(from.running);
          if (scaled) launch.parts[slot(from.running)] = {k, from.split, from.running};
        }
        break;
      }
    for (const int node : maxima)
      if (!listed(launch.reads, node)) launch.reads.push_back(node);
    std::sort(launch.reads.begin(), launch.reads.end());
  }

  /// How often the running maximum is a factor of what the loop computes, as exp(-maximum): what it adds up
  /// has to hold it once or not at all, and nothing else may depend on it.
  std::optional<std::string> degrees(const Kernel& kernel, Launch& launch) const {
    constexpr int kExponent = -99;
    std::vector<int> degree(graph_.nodes.size(), 0);
    const auto in_sweep = [&](int node) { return launch.stages[slot(node)] == kSweep; };
    const auto of = [&](int node) { return in_sweep(node) ? degree[slot(node)] : 0; };
    const auto wrong = [&](int node) {
      return fmt::format("t{} = {} depends on a maximum that still runs",
                         node - static_cast<int>(graph_.inputs.size()) + 1, node_text(graph_, node));
    };
    for (const int node : node_list(kernel.nodes)) {
      const Node& op = graph_.nodes[slot(node)];
      const bool adds = launch.accumulates(graph_, node) && launch.stages[slot(node)] == kBehind;
      if (node == launch.running) {
        if (!in_sweep(node)) return wrong(node);
        if (of(op.a) != 0) return wrong(node);
        continue;
      }
      if (!in_sweep(node) && !adds) continue;
      int& own = degree[slot(node)];
      const bool reads_running = op.a == launch.running || op.b == launch.running;
      if (reads_running) {
        if (op.op != Op::sub || op.b != launch.running || op.a != graph_.nodes[slot(launch.running)].a)
          return wrong(node);
        own = kExponent;
      } else if (op.op == Op::exp && of(op.a) == kExponent) {
        own = 1;
      } else {
        const int a = of(op.a), b = op.b >= 0 ? of(op.b) : 0;
        if (a == kExponent || b == kExponent) return wrong(node);
        const bool product = op.op == Op::mul || op.op == Op::matmul, sums = op.op == Op::sum;
        if (op.op == Op::div)
          own = a - b;
        else if (product || sums)
          own = a + b;
        else if (a != b || (a != 0 && op.op != Op::add && op.op != Op::sub))
          return wrong(node);
        else
          own = a;
      }
      if (own != 0 && !within(shapes_[slot(launch.running)], shapes_[slot(node)])) return wrong(node);
      if (!adds) {
        if (own != 0 && listed(launch.writes, node)) return wrong(node);
        continue;
      }
      if (own != 0 && own != 1) return wrong(node);
      if (own == 1) launch.rescaled |= node_bit(node);
      own = 0;
    }
    if (launch.split >= 0 && launch.rescaled != 0 && !listed(launch.writes, launch.running)) {
      launch.writes.push_back(launch.running);  // the parts are joined by their maxima
      std::sort(launch.writes.begin(), launch.writes.end());
    }
    return std::nullopt;
  }

  /// What the launch reads and writes, and what its grid does to sums.
  std::optional<std::string> operands(int number, std::uint64_t done, Launch& launch) {
    const Kernel& kernel = plan_.kernels[slot(number)];
    std::uint64_t reads = 0, later = 0;
    for (const int output : graph_.outputs) later |= node_bit(output);
    for (std::size_t k = slot(number) + 1; k < plan_.kernels.size(); ++k)
      for_nodes(plan_.kernels[k].nodes, [&](int node) {
        for (const int operand : operands_of(graph_.nodes[slot(node)]))
          if ((plan_.kernels[k].nodes & node_bit(operand)) == 0) later |= node_bit(operand);
      });
    std::optional<std::string> fault;
    for_nodes(kernel.nodes, [&](int node) {
      if (fault) return;
      const Node& op = graph_.nodes[slot(node)];
      if (op.op == Op::input) fault = "an input is no node of a launch";
      for (const int operand : operands_of(graph_.nodes[slot(node)])) {
        if ((kernel.nodes & node_bit(operand)) == 0) {
          reads |= node_bit(operand);
          if ((done & node_bit(operand)) == 0) fault = "a launch reads what no earlier one computes";
          if (is_rounded(operand)) fault = "a launch reads an output that is rounded already";
          continue;
        }
        const Node& from = graph_.nodes[slot(operand)];
        const bool runs = operand == launch.running && op.op == Op::sub && op.b == operand;
        if (from.over >= 0 && kernel.cuts[slot(from.over)].grid > 1 && !runs)
          fault = fmt::format("the grid cuts {}, so the sum over it is finished in a later launch",
                              name(from.over));
      }
      if (op.over < 0 || kernel.cuts[slot(op.over)].grid == 1) return;
      if (op.op == Op::max && node != launch.running && kernel.path != Path::strip)
        fault = fmt::format("a maximum over {} has no parts to add", name(op.over));
      if (graph_.is_output(node))
        fault =
            fmt::format("the output is a sum over {}: a grid that cuts it never finishes it", name(op.over));
      if (launch.split >= 0 && launch.split != op.over)
        fault =
            fmt::format("a grid cuts the index of one sum, not {} and {}", name(launch.split), name(op.over));
      launch.split = op.over;
    });
    if (fault) return fault;
    launch.reads = node_list(reads);
    launch.writes = node_list(kernel.nodes & later);
    launch.axes = axes(kernel, launch);
    if (has_running_maximum(kernel.path)) {
      IndexSet all = 0;
      for (const int node : launch.reads) all |= shapes_[slot(node)];
      for_nodes(kernel.nodes, [&](int node) { all |= shapes_[slot(node)]; });
      for (const int index : members(all))
        if (!launch.is_cut(index)) launch.held.push_back(index);
    }
    return std::nullopt;
  }

  /// As an output: what is computed from it is computed from what it was before.
  bool is_rounded(int node) const {
    const int output = graph_.output_number(node);
    return output >= 0 && program_.output(output).storage != Storage::f32;
  }

  std::vector<int> axes(const Kernel& kernel, const Launch& launch) const {
    std::vector<int> found = launch.grid;
    IndexSet written = 0, summed = 0;
    for (const int node : launch.writes) written |= shapes_[slot(node)];
    for_nodes(kernel.nodes, [&](int node) {
      if (graph_.nodes[slot(node)].over >= 0) summed |= only(graph_.nodes[slot(node)].over);
    });
    if (kernel.path == Path::product || has_running_maximum(kernel.path))
      for (const int index : members(static_cast<IndexSet>(written & ~summed)))
        if (index != launch.loop && !listed(found, index) && found.size() < kMostGridIndices)
          found.push_back(index);
    sort_by_blocks(found, kernel);
    return found;
  }

  std::optional<std::string> stages(int number, Launch& launch) const {
    const Kernel& kernel = plan_.kernels[slot(number)];
    launch.stages.assign(graph_.nodes.size(), kNowhere);
    std::optional<std::string> fault;
    for_nodes(kernel.nodes, [&](int node) {
      int stage = kBefore;
      for (const int operand : operands_of(graph_.nodes[slot(node)])) {
        int from = launch.stages[slot(operand)];
        if (from == kNowhere)
          from = launch.loop >= 0 && has(shapes_[slot(operand)], launch.loop) ? kSweep : kBefore;
        stage = std::max(stage, from);
      }
      const bool inside = launch.loop >= 0 && has(shapes_[slot(node)], launch.loop);
      const bool runs = node == launch.running;
      const bool adds = launch.accumulates(graph_, node) && !runs;
      if (runs && stage == kBefore) stage = kSweep;
      if ((inside || adds) && stage % 2 == 0) ++stage;
      if (adds) ++stage;
      if (stage > kLast) fault = fmt::format("more than {} sweeps over {}", kMostSweeps, name(launch.loop));
      launch.stages[slot(node)] = static_cast<std::int8_t>(std::min<int>(stage, kLast));
      launch.sweeps = std::max(launch.sweeps, (stage + (inside || runs ? 1 : 0)) / 2);
    });
    return fault;
  }

  const Program& program_;
  const Plan& plan_;
  const Graph& graph_;
  std::vector<IndexSet> shapes_;
};

}  // namespace

std::vector<int> node_list(std::uint64_t nodes) {
  std::vector<int> list;
  for_nodes(nodes, [&](int node) { list.push_back(node); });
  return list;
}

std::vector<int> operands_of(const Node& op) {
  if (op.op == Op::input) return {};
  return op.b >= 0 && op.b != op.a ? std::vector<int>{op.a, op.b} : std::vector<int>{op.a};
}

std::uint64_t needed_nodes(const Graph& graph) {
  return used_by_output(graph) & ~(node_bit(static_cast<int>(graph.inputs.size())) - 1);
}

namespace {
std::optional<std::string> extent_fault(const Graph& graph, const Kernel& kernel, const Extents& extents) {
  for (std::size_t i = 0; i < graph.indices.size(); ++i)
    if (kernel.cuts[i].grid > extents[i] || kernel.cuts[i].loop > extents[i])
      return fmt::format("{} has {} elements and is cut into more parts", graph.indices[i].name, extents[i]);
  return std::nullopt;
}
}  // namespace

std::optional<std::string> plan_fault(const Program& program, const Plan& plan, const Extents& extents) {
  for (const Kernel& kernel : plan.kernels)
    if (auto fault = extent_fault(plan.graph, kernel, extents)) return fault;
  return Analyser(program, plan).run().fault;
}

std::optional<Launch> legal_launch(const Program& program, const Plan& plan, int number,
                                   const std::vector<Launch>& before, const Extents& extents) {
  if (extent_fault(plan.graph, plan.kernels[slot(number)], extents)) return std::nullopt;
  return Analyser(program, plan).launch(number, before);
}

std::vector<Launch> launches_of(const Program& program, const Plan& plan) {
  return Analyser(program, plan).run().launches;
}

}  // namespace workbook::opt
