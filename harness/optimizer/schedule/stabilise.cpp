// A maximum for every exp that is summed, so that nothing overflows.
#include <algorithm>
#include <cmath>

#include "optimizer/graph/sizes.h"
#include "optimizer/graph/unary.h"
#include "optimizer/judge/verify.h"
#include "optimizer/schedule/schedule.h"

namespace workbook::opt {
namespace {

/// The index over which the node's result is summed or contracted, or -1.
int summed_over(const Graph& graph, int node) {
  for (const Node& user : graph.nodes)
    if (user.op != Op::input && (user.op == Op::sum || user.op == Op::matmul) &&
        (user.a == node || user.b == node))
      return user.over;
  return -1;
}

bool has_exp(const Graph& graph, int node) {
  const Node& op = graph.nodes[slot(node)];
  if (op.op == Op::input) return false;
  return op.op == Op::exp || has_exp(graph, op.a) || (op.b >= 0 && has_exp(graph, op.b));
}

bool is_exp_a_factor(const Graph& graph, int node) {
  const Node& op = graph.nodes[slot(node)];
  if (op.op == Op::exp) return true;
  if (op.op == Op::div) return is_exp_a_factor(graph, op.a);
  return op.op == Op::mul && (is_exp_a_factor(graph, op.a) || is_exp_a_factor(graph, op.b));
}

/// Whether it is contracted with another exp: each less its own maximum, all products may be 0.
bool meets_exp(const Graph& graph, int node) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& user) {
    return user.op == Op::matmul && user.a != user.b && (user.a == node || user.b == node) &&
           is_exp_a_factor(graph, user.a == node ? user.b : user.a);
  });
}

/// Likewise where factors without an exp come between, such as a mask; -1 where sums over several indices
/// follow.
int summed_behind_factors(const Graph& graph, int node) {
  int over = -1;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& user = graph.nodes[i];
    if (user.op == Op::input || (user.a != node && user.b != node)) continue;
    int found = -1;
    if (user.op == Op::sum || user.op == Op::matmul) {
      found = user.over;
    } else if (user.op == Op::mul && user.a != user.b && !has_exp(graph, user.a == node ? user.b : user.a)) {
      found = summed_behind_factors(graph, static_cast<int>(i));
    } else if (user.op == Op::div && user.a == node) {
      continue;  // by what belongs to the sum
    }
    if (found < 0 || (over >= 0 && over != found)) return -1;
    over = found;
  }
  return over;
}

bool is_log(const Graph& graph, const Node& node) {
  static const Function kLog{base_of("log"), -1, -1, -1};
  return node.op == Op::fn && graph.functions[node.fn] == kLog;
}

/// Nothing but logarithms reads it.
bool only_logs_read(const Graph& graph, int node) {
  bool any = false;
  for (const Node& user : graph.nodes) {
    if (user.op == Op::input || (user.a != node && user.b != node)) continue;
    if (!is_log(graph, user)) return false;
    any = true;
  }
  return any && node != graph.output();
}

/// Where the fields cannot tell: doubles compare, on drawn numbers.
bool same_numbers(const Program& program, const Graph& graph, const Graph& other) {
  Extents extents;
  extents.fill(3);
  for (std::uint64_t draw = 0; draw < 8; ++draw) {
    std::vector<NumberTensor> inputs;
    for (const Tensor& tensor : graph.inputs) {
      NumberTensor values{tensor.set(), {}, {}};
      if (tensor.is_placed()) values.values = placed_values(tensor, extents);
      for (std::size_t i = values.values.size(); i < size_of(values.set, extents); ++i)
        values.values.push_back(tensor.constant >= 0
                                    ? value_of(graph.constants[slot(tensor.constant)], extents)
                                    : drawn_normal(mixed(hash_of(tensor.name), i + (draw << 32))));
      inputs.push_back(std::move(values));
    }
    const auto values = [&](const Graph& of) {
      return evaluate_numbers(of, program.output_set(), extents, inputs, {})[slot(of.output())].values;
    };
    const std::vector<double> one = values(graph), two = values(other);
    for (std::size_t i = 0; i < one.size(); ++i)
      if (std::isfinite(one[i]) && !(std::abs(one[i] - two[i]) <= 1e-9 * (1.0 + std::abs(one[i]))))
        return false;
  }
  return true;
}

/// Whether what is computed from the node, element by element, is summed or contracted: exp(u) * exp(w).
bool reaches_sum(const Graph& graph, int node) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& user = graph.nodes[i];
    if (user.op == Op::input || (user.a != node && user.b != node)) continue;
    if (user.op == Op::sum || user.op == Op::matmul || reaches_sum(graph, static_cast<int>(i))) return true;
  }
  return false;
}

}  // namespace

std::optional<Graph> stabilised(const Program& program, const Graph& graph) {
  Graph result = graph;
  result.nodes.clear();
  std::vector<std::int8_t> place(graph.nodes.size());
  bool changed = false, logs = false;
  std::vector<int> maximum_of(graph.nodes.size(), -1);  ///< of exps, and of sums of such that logarithms read
  const auto add = [&](const Node& node) {
    result.nodes.push_back(node);
    return static_cast<std::int8_t>(result.nodes.size() - 1);
  };
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Node node = graph.nodes[i];
    if (node.op != Op::input) {
      node.a = place[slot(node.a)];
      if (node.b >= 0) node.b = place[slot(node.b)];
    }
    int over = node.op == Op::exp ? summed_over(graph, static_cast<int>(i)) : -1;
    if (node.op == Op::exp && over < 0) over = summed_behind_factors(graph, static_cast<int>(i));
    if (over >= 0 && meets_exp(graph, static_cast<int>(i))) return std::nullopt;
    if (over >= 0) {
      if (result.nodes.size() + 3 > kMaxNodes) return std::nullopt;
      const auto most = add({Op::max, node.a, -1, static_cast<std::int8_t>(over), 0});
      node.a = add({Op::sub, node.a, most, -1, 0});
      maximum_of[i] = most;
      changed = true;
    } else if (node.op == Op::exp && reaches_sum(graph, static_cast<int>(i))) {
      return std::nullopt;  // a factor of what is summed: no maximum of its own would do
    }
    place[i] = add(node);
    const Node& own = graph.nodes[i];
    if (own.op == Op::sum && maximum_of[slot(own.a)] >= 0 && only_logs_read(graph, static_cast<int>(i)))
      maximum_of[i] = maximum_of[slot(own.a)];
    if (is_log(graph, own) && maximum_of[slot(own.a)] >= 0) {  // log(sum exp(u)) = log(sum exp(u - m)) + m
      if (result.nodes.size() + 1 > kMaxNodes) return std::nullopt;
      const auto most = static_cast<std::int8_t>(maximum_of[slot(own.a)]);
      place[i] = add({Op::add, most, place[i], -1, 0});
      logs = true;
    }
  }
  result.outputs = {place[slot(graph.output())]};
  if (!changed) return graph;
  if (type_fault(result, program.output_set())) return std::nullopt;
  const auto equal = [&] {
    if (logs) return same_numbers(program, graph, result);
    try {
      return Verifier(program, {}).verify(result, false).equal;
    } catch (const NoDraw&) {
      return same_numbers(program, graph, result);
    }
  };
  return equal() ? std::optional(std::move(result)) : std::nullopt;
}

Graph as_it_stands(const Program& program) {
  const Graph plain = expanded(program, program.graph);
  return stabilised(program, plain).value_or(plain);
}

}  // namespace workbook::opt
