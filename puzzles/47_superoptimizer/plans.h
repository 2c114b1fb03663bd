// Puzzle 47, given: a graph cut into launches. Which cuts one kernel can do, and how many bytes a launch
// moves, are the learner's.
#pragma once

#include "graph.h"

namespace graphs {

/// Every operation lies in one launch, none before its operands. A launch goes over one index in a loop.
struct Plan {
  Graph graph;
  std::vector<int> launch;  ///< of each node; -1 for inputs
  std::vector<int> loop;    ///< of each launch: an index, or -1 for none

  int launches() const { return static_cast<int>(loop.size()); }
  int launch_of(int node) const { return launch[static_cast<std::size_t>(node)]; }
  bool is_result(int node) const { return node + 1 == static_cast<int>(graph.size()); }
};

/// An index that is summed over and is not the loop's is held whole by a block: so many elements at most.
constexpr int kWhole = 128;
/// Measured on an H200: what a copy moves in a microsecond, and what one more small kernel in a CUDA graph
/// costs.
constexpr double kBytesInUs = 4.27e6, kLaunchUs = 0.87;
constexpr double kBytesAnElement = 2.0;  ///< half

}  // namespace graphs
using namespace graphs;

// The learner's (kernels.cu).
bool fits(const Program& program, const Plan& plan, int launch);
double bytes_of(const Program& program, const Plan& plan, int launch);

namespace graphs {

/// Elements of a node at the real shape.
inline double elements_of(const Program& program, Indices set) {
  double elements = 1.0;
  for (std::size_t i = 0; i < program.real.size(); ++i)
    if (has(set, static_cast<int>(i))) elements *= program.real[i];
  return elements;
}

struct Price {
  double us = 0.0, bytes = 0.0;
  double flops = 0.0;  ///< decides between plans that cost the same otherwise
};
inline Price price_of(const Program& program, const Plan& plan) {
  Price price;
  for (int launch = 0; launch < plan.launches(); ++launch) price.bytes += bytes_of(program, plan, launch);
  price.us = plan.launches() * kLaunchUs + price.bytes / kBytesInUs;
  const std::vector<Indices> sets = indices_of(plan.graph, program);
  for (std::size_t i = 0; i < plan.graph.size(); ++i) {
    const Node& node = plan.graph[i];
    if (node.op == Op::input) continue;
    price.flops += (node.op == Op::product ? 2.0 : 1.0) * elements_of(program, sets[i] | only(node.over));
  }
  return price;
}

/// All plans of a graph with at most `most` launches, each with the first loop that fits.
class Plans {
 public:
  Plans(const Program& program, const Graph& graph, int most) : program_(program) {
    plan_.graph = graph;
    plan_.launch.assign(graph.size(), -1);
    for (int count = 1; count <= most; ++count) {
      plan_.loop.assign(static_cast<std::size_t>(count), -1);
      place(static_cast<std::size_t>(program.count()));
    }
  }
  std::vector<Plan> found;
  int looked_at = 0;

 private:
  void place(std::size_t node) {
    if (node == plan_.graph.size()) return consider();
    const Node& op = plan_.graph[node];
    int first = std::max(0, plan_.launch_of(op.a));
    if (op.b >= 0) first = std::max(first, plan_.launch_of(op.b));
    for (int launch = first; launch < plan_.launches(); ++launch) {
      plan_.launch[node] = launch;
      place(node + 1);
    }
  }
  void consider() {
    ++looked_at;
    for (int launch = 0; launch < plan_.launches(); ++launch) {
      if (std::find(plan_.launch.begin(), plan_.launch.end(), launch) == plan_.launch.end()) return;
      int& loop = plan_.loop[static_cast<std::size_t>(launch)];
      bool any = false;
      for (loop = -1; !any && loop < static_cast<int>(program_.letters.size());) {
        any = fits(program_, plan_, launch);
        if (!any) ++loop;
      }
      if (!any) return;
    }
    found.push_back(plan_);
  }
  const Program& program_;
  Plan plan_;
};

/// The cheapest plan of several graphs; none where `found` is false.
struct Best {
  bool found = false;
  Plan plan;
  Price price;
  int looked_at = 0;
};
inline Best cheapest(const Program& program, const std::vector<Graph>& graphs, int most = 3) {
  Best best;
  for (const Graph& graph : graphs) {
    const Plans plans(program, graph, most);
    best.looked_at += plans.looked_at;
    for (const Plan& plan : plans.found) {
      const Price price = price_of(program, plan);
      if (best.found && std::pair(price.us, price.flops) >= std::pair(best.price.us, best.price.flops))
        continue;
      best.found = true;
      best.plan = plan, best.price = price;
    }
  }
  return best;
}

/// A launch an operation.
inline Plan one_by_one(const Program& program, const Graph& graph) {
  Plan plan{graph, std::vector<int>(graph.size(), -1), {}};
  for (std::size_t i = static_cast<std::size_t>(program.count()); i < graph.size(); ++i) {
    plan.launch[i] = plan.launches();
    plan.loop.push_back(graph[i].over);
  }
  return plan;
}

}  // namespace graphs
